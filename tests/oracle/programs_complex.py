"""Programs with complex tensors inside, whose inputs and results are real: (name, module or function, inputs)."""
import torch


class Rope(torch.nn.Module):
    """Rotary positions by complex numbers, from a buffer."""

    def __init__(self):
        super().__init__()
        angles = torch.arange(24.0).reshape(6, 4) / 5
        self.register_buffer("turns", torch.polar(torch.ones(6, 4), angles), persistent=False)
        self.query = torch.nn.Linear(16, 16)

    def forward(self, x):
        pairs = torch.view_as_complex(self.query(x).view(2, 6, 2, 4, 2))
        return torch.view_as_real(pairs * self.turns[None, :, None, :]).flatten(3)


class Filter(torch.nn.Module):
    """A learned filter of frequencies."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(3, 5, dtype=torch.complex64))

    def forward(self, x):
        return torch.fft.irfft(torch.fft.rfft(x) * self.weight)


class Recurrence(torch.nn.Module):
    """The kernel of a state space."""

    def __init__(self):
        super().__init__()
        self.rate = torch.nn.Parameter(torch.randn(4, dtype=torch.complex64))

    def forward(self, x):
        kernel = torch.exp(self.rate[:, None] * torch.arange(8))
        return (kernel.real * x).sum(-1), kernel.imag, kernel.conj().abs()


def real(x):
    return torch.view_as_real(x)


torch.manual_seed(5)
x, y, wave = torch.rand(3, 4), torch.rand(3, 4), torch.rand(2, 64)
COMPLEX = (
    ("complex_rope", Rope(), (torch.rand(2, 6, 16),)),
    ("complex_filter", Filter(), (torch.rand(3, 8),)),
    ("complex_recurrence", Recurrence(), (torch.rand(4, 8),)),
    ("complex_shapes", lambda x, y: real(torch.cat([torch.complex(x, y), torch.complex(y, x)], 1).transpose(0, 1)[1:].sum(0)), (x, y)),
    ("complex_arithmetic", lambda x, y: real(torch.complex(x, y) / (torch.complex(y, x) + 3) / 2 - torch.complex(x, x) + y), (x, y)),
    ("complex_matmul", lambda x, y: real(torch.complex(x, y) @ torch.complex(y, x).T.conj()), (x, y)),
    ("complex_split", lambda x: [real(part) for part in torch.fft.fft(x).split(2, 1)], (x,)),
    ("complex_where", lambda x, y: real(torch.where(y > 0.5, torch.fft.fft(x), torch.fft.ifft(x))), (x, y)),
    ("complex_cast", lambda x: real(x.to(torch.complex64) * 1.5), (x,)),
    ("complex_polar", lambda x, y: torch.polar(x, y).real, (x, y)),
    ("complex_by_real", lambda x: real(torch.fft.fft(x) * x + x), (x,)),
    ("complex_double", lambda x: real(torch.fft.rfft(x) * 2), (wave.double(),)),
    ("complex_round_trip", lambda x: torch.fft.ifftn(torch.fft.fftn(x)).real, (torch.rand(2, 3, 4),)),
    ("spectrogram", lambda x: torch.stft(x, 16, 4, 12, torch.hamming_window(12), return_complex=True, normalized=True).abs(), (wave,)),
    ("spectrogram_two_sided", lambda x: torch.stft(x, 8, return_complex=True, onesided=False, center=False).abs(), (wave[0],)),
    ("complex_scalars", lambda x: real((1j * x + (2 - 1j)) / (0.5 + 2j) - 3j), (x,)),
    ("complex_exponent", lambda x: torch.exp(1j * x).real, (x,)),
    ("complex_from_number", lambda x, y: real((3 + 1j) - torch.complex(x, y)), (x, y)),
    ("complex_functions", lambda x, y: [real(f(torch.complex(x + 0.5, y - 0.5))) for f in (torch.log, torch.reciprocal, torch.sin, torch.cos, torch.square)], (x, y)),
    ("complex_powers", lambda x, y: [real(torch.complex(x + 0.5, y) ** n) for n in (2, 3, -1)], (x, y)),
    ("complex_compared", lambda x, y: (torch.complex(x, y) == torch.complex(x, x), torch.complex(x, y) != y), (x, y)),
    ("complex_filled", lambda x: real(torch.full((3, 4), 1 + 2j) * x + torch.ones(3, 4, dtype=torch.complex64) + torch.zeros_like(x, dtype=torch.complex64)), (x,)),
    ("complex_to_real", lambda x, y: torch.complex(x, y).to(torch.float32) * 2, (x, y)),
)
