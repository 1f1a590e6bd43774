"""Whole models, small and with random weights."""
import torch
import torch.nn.functional as F
from oracle_programs import Case, f32, i64, program
from torch import nn
from torch.export import Dim


class Residual(nn.Module):
    def __init__(self, channels, out, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, out, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(out)
        self.conv2 = nn.Conv2d(out, out, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(out)
        self.down = nn.Sequential(nn.Conv2d(channels, out, 1, stride, bias=False), nn.BatchNorm2d(out)) if stride > 1 or channels != out else None
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        y = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
        y += x if self.down is None else self.down(x)
        return self.relu(y)


@program("model_resnet")
def _():
    body = [nn.Conv2d(3, 8, 7, 2, 3, bias=False), nn.BatchNorm2d(8), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
    body += [Residual(8, 8), Residual(8, 16, 2), Residual(16, 16)]
    net = nn.Sequential(*body, nn.AdaptiveAvgPool2d(1), nn.Flatten(1), nn.Linear(16, 10))
    return Case(net.eval(), (f32(1, 3, 32, 32)(),))


@program("model_resnet_dynamic")
def _():
    net = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.BatchNorm2d(8), nn.ReLU(), Residual(8, 8), nn.AdaptiveAvgPool2d(1), nn.Flatten(1), nn.Linear(8, 4))
    return Case(net.eval(), (f32(2, 3, 16, 16)(),), {}, ({0: Dim("batch", min=2, max=32)},))


@program("model_mobile")
def _():
    def block(i, o, s):
        return nn.Sequential(nn.Conv2d(i, 3 * i, 1, bias=False), nn.BatchNorm2d(3 * i), nn.ReLU6(inplace=True),
                             nn.Conv2d(3 * i, 3 * i, 3, s, 1, groups=3 * i, bias=False), nn.BatchNorm2d(3 * i), nn.Hardswish(inplace=True),
                             nn.Conv2d(3 * i, o, 1, bias=False), nn.BatchNorm2d(o))
    return Case(nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), block(8, 12, 2), block(12, 12, 1), nn.Dropout(0.2)).eval(), (f32(1, 3, 16, 16)(),))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(3, 8, 3, padding=1)
        self.mid = nn.Conv2d(8, 8, 3, padding=1)
        self.up = nn.ConvTranspose2d(8, 8, 2, stride=2)
        self.out = nn.Conv2d(16, 2, 1)
        self.norm = nn.GroupNorm(2, 8)

    def forward(self, x):
        a = F.silu(self.norm(self.down(x)))
        b = F.silu(self.mid(F.max_pool2d(a, 2)))
        c = F.interpolate(self.up(b), size=a.shape[-2:], mode="nearest")
        return self.out(torch.cat([a, c], 1))


@program("model_unet")
def _():
    return Case(UNet().eval(), (f32(1, 3, 16, 16)(),))


class Block(nn.Module):
    def __init__(self, width, heads, causal):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Dropout(0.1), nn.Linear(4 * width, width))
        self.heads, self.causal = heads, causal

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        x = x + self.proj(y.transpose(1, 2).reshape(b, t, c))
        return x + self.mlp(self.norm2(x))


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok, self.pos = nn.Embedding(32, 16), nn.Embedding(16, 16)
        self.blocks = nn.ModuleList(Block(16, 2, True) for _ in range(2))
        self.norm, self.head = nn.LayerNorm(16), nn.Linear(16, 32, bias=False)
        self.head.weight = self.tok.weight

    def forward(self, ids):
        x = self.tok(ids) + self.pos(torch.arange(ids.shape[1], device=ids.device))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


@program("model_gpt")
def _():
    return Case(Gpt().eval(), (i64(2, 6)(),))


@program("model_gpt_dynamic")
def _():
    return Case(Gpt().eval(), (i64(2, 6)(),), {}, ({0: Dim("batch", min=2, max=8), 1: Dim("time", min=2, max=16)},))


class Vit(nn.Module):
    def __init__(self):
        super().__init__()
        self.patch = nn.Conv2d(3, 16, 4, 4)
        self.cls = nn.Parameter(torch.zeros(1, 1, 16))
        self.pos = nn.Parameter(torch.randn(1, 17, 16))
        self.blocks = nn.Sequential(Block(16, 2, False), Block(16, 2, False))
        self.head = nn.Linear(16, 5)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(x.shape[0], -1, -1), x], 1) + self.pos
        return self.head(self.blocks(x)[:, 0])


@program("model_vit")
def _():
    return Case(Vit().eval(), (f32(2, 3, 16, 16)(),))


@program("model_mlp_mixer")
def _():
    class Mixer(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b, self.norm = nn.Linear(6, 6), nn.Linear(8, 8), nn.LayerNorm(8)

        def forward(self, x):
            x = x + self.a(self.norm(x).transpose(1, 2)).transpose(1, 2)
            return x + F.gelu(self.b(x))

    return Case(Mixer().eval(), (f32(2, 6, 8)(),))


@program("model_autoencoder")
def _():
    encode = [nn.Conv2d(1, 4, 3, 2, 1), nn.ReLU(), nn.Conv2d(4, 8, 3, 2, 1), nn.ReLU()]
    decode = [nn.ConvTranspose2d(8, 4, 3, 2, 1, 1), nn.ReLU(), nn.ConvTranspose2d(4, 1, 3, 2, 1, 1), nn.Sigmoid()]
    return Case(nn.Sequential(*encode, *decode).eval(), (f32(1, 1, 8, 8)(),))


@program("model_convnext_block")
def _():
    class ConvNext(nn.Module):
        def __init__(self):
            super().__init__()
            self.dw, self.norm = nn.Conv2d(8, 8, 7, padding=3, groups=8), nn.LayerNorm(8)
            self.a, self.b, self.gamma = nn.Linear(8, 32), nn.Linear(32, 8), nn.Parameter(torch.ones(8) * 1e-6)

        def forward(self, x):
            y = self.dw(x).permute(0, 2, 3, 1)
            y = self.b(F.gelu(self.a(self.norm(y)))) * self.gamma
            return x + y.permute(0, 3, 1, 2)

    return Case(ConvNext().eval(), (f32(1, 8, 8, 8)(),))


@program("model_classifier_lstm")
def _():
    class Classifier(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed, self.lstm, self.out = nn.Embedding(20, 8), nn.LSTM(8, 6, batch_first=True), nn.Linear(6, 3)

        def forward(self, ids):
            return self.out(self.lstm(self.embed(ids))[0][:, -1])

    return Case(Classifier().eval(), (i64(2, 4)(),))


@program("model_transformer_encoder")
def _():
    return Case(nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2).eval(), (f32(1, 4, 8)(),))


@program("model_mlp_strict")
def _():
    return Case(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)).eval(), (f32(2, 4)(),), strict=True)


@program("model_training_step")
def _():
    class Trained(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Dropout(0.1))

        def forward(self, x, y):
            return F.mse_loss(self.net(x).mean((2, 3)), y)

    return Case(Trained().train(), (f32(2, 3, 6, 6)(), f32(2, 4)()))


def hugging_face(name, make, ids=(1, 6), forms=("exported", "decomposed", "core"), dynamic=None):
    """A transformers model from a tiny configuration; skipped where transformers is absent."""

    def build():
        import transformers

        transformers.logging.set_verbosity_error()
        torch.manual_seed(0)
        model = make(transformers).eval()
        model.config.return_dict = False
        model.config.use_cache = False
        inputs = i64(*ids)() if isinstance(ids[0], int) and len(ids) == 2 else f32(*ids)()
        return Case(model, (inputs,), {}, dynamic)

    try:
        import transformers  # noqa: F401
    except ImportError:
        return
    program(name, forms=forms)(build)


TINY = dict(vocab_size=50, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32, max_position_embeddings=32)
SAVED = ("decomposed", "core")  # their masks use vmap, which torch.export.save refuses before it is decomposed
hugging_face("hf_bert", lambda t: t.BertModel(t.BertConfig(**TINY)))
hugging_face("hf_distilbert", lambda t: t.DistilBertModel(t.DistilBertConfig(vocab_size=50, dim=16, n_layers=2, n_heads=2, hidden_dim=32)))
hugging_face("hf_electra", lambda t: t.ElectraModel(t.ElectraConfig(embedding_size=16, **TINY)), forms=("decomposed",))
hugging_face("hf_gpt2", lambda t: t.GPT2LMHeadModel(t.GPT2Config(vocab_size=50, n_embd=16, n_layer=2, n_head=2, n_positions=32)), forms=SAVED)
hugging_face("hf_llama", lambda t: t.LlamaModel(t.LlamaConfig(num_key_value_heads=1, **TINY)), forms=SAVED)
hugging_face("hf_opt", lambda t: t.OPTModel(t.OPTConfig(ffn_dim=32, word_embed_proj_dim=16, **{k: v for k, v in TINY.items() if k != "intermediate_size"})), forms=("decomposed",))
hugging_face("hf_vit", lambda t: t.ViTModel(t.ViTConfig(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32, image_size=16, patch_size=4)), ids=(1, 3, 16, 16))
hugging_face("hf_resnet", lambda t: t.ResNetModel(t.ResNetConfig(embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1])), ids=(1, 3, 32, 32))
