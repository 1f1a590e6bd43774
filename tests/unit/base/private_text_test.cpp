// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/private_text.h"

#include <gtest/gtest.h>

namespace fxs {
namespace {

const Identity kAda{"/srv/people/ada", "ada", "build-01"};

/// Of one text by itself; that it comes out again as it is, is part of each test.
std::string cleaned(std::string_view text, const Identity& identity = {}) {
  std::string out = PrivateText(identity).text(text);
  EXPECT_EQ(PrivateText().text(out), out) << text;
  EXPECT_EQ(PrivateText(identity).text(out), out) << text;
  return out;
}

TEST(PrivateText, FoldersOfTheMachineGo) {
  EXPECT_EQ(cleaned("File \"/home/ada/my models/net.py\", line 3"), "File \"net.py\", line 3");
  EXPECT_EQ(cleaned("/usr/bin/torch-mlir-opt - --x=y"), "torch-mlir-opt - --x=y");
  EXPECT_EQ(cleaned("C:\\Users\\ada\\net.py:3 and ~/net.py"), "net.py:3 and net.py");
  EXPECT_EQ(cleaned("--extra-library=/data/x/lib.mlir"), "--extra-library=lib.mlir");
}

TEST(PrivateText, PartsOfPackagesStay) {
  EXPECT_EQ(cleaned("(/opt/v/lib/python3.11/site-packages/torch/nn/f.py:1)"), "(torch/nn/f.py:1)");
  EXPECT_EQ(cleaned("at /usr/lib/python3.11/runpy.py"), "at runpy.py");
}

TEST(PrivateText, TextsInsideJsonStayJson) {
  EXPECT_EQ(cleaned(R"("words": "see\n/home/ada/net.py: \"/home/ada/my net.py\" and /x/y\n"")"),
            R"("words": "see\nnet.py: \"my net.py\" and y\n"")");
  EXPECT_EQ(cleaned(R"(["/usr/bin/engine", "-"])"), R"(["engine", "-"])");
}

TEST(PrivateText, AddressesOfFilesGo) {
  EXPECT_EQ(cleaned("see file:///home/ada/secret/net.py:3"), "see net.py:3");
  EXPECT_EQ(cleaned("FILE://nas01/home/ada/net.py"), "net.py");
  EXPECT_EQ(cleaned("file:/home/ada/net.py"), "file:net.py");
  EXPECT_EQ(cleaned("file://localhost/home/ada/my models/net.py, line 3"), "net.py, line 3");
}

TEST(PrivateText, FoldersWithSpacesBracketsAndOtherAlphabetsGoWhole) {
  EXPECT_EQ(cleaned("/home/ada/my secret models/net.py"), "net.py");
  EXPECT_EQ(cleaned("/home/ada/Modèles privés/réseau.py:3"), "réseau.py:3");
  EXPECT_EQ(cleaned("/home/ada/秘密/net.py"), "net.py");
  EXPECT_EQ(cleaned("in /home/ada/project (old)/net.py at 3"), "in net.py at 3");
  EXPECT_EQ(cleaned("/home/ada/my\\ models/net.py"), "net.py");
  EXPECT_EQ(cleaned("C:\\Users\\Ada Lovelace\\my nets\\net.py"), "net.py");
  // The sentence goes on.
  EXPECT_EQ(cleaned("/home/ada/net.py in a/b"), "net.py in a/b");
  EXPECT_EQ(cleaned("(/x/y.py:1), a/b"), "(y.py:1), a/b");
}

TEST(PrivateText, SharesAndDrivesOfWindowsGo) {
  EXPECT_EQ(cleaned(R"(\\fileserver\research\net.py)"), "net.py");
  EXPECT_EQ(cleaned(R"("\\\\fileserver\\research\\net.py")"), "\"net.py\"");
  EXPECT_EQ(cleaned("//nas01/research/net.py"), "net.py");
  EXPECT_EQ(cleaned("D:/nets/net.py"), "net.py");
  EXPECT_EQ(cleaned(R"(load(C:\\Users\\Ada Lovelace\\net.py))"), "load(net.py)");
}

TEST(PrivateText, NamesAfterATildeGo) {
  EXPECT_EQ(cleaned("~ada/models/net.py"), "net.py");
  EXPECT_EQ(cleaned("run by ~ada on it"), "run by redacted_home on it");
  EXPECT_EQ(cleaned("x = ~mask & ~causal"), "x = ~mask & ~causal");
  EXPECT_EQ(cleaned("return ~mask"), "return ~mask");
  EXPECT_EQ(cleaned("/home/ada and /Users/ada/ and C:\\Users\\ada"),
            "redacted_home and redacted_home and redacted_home");
}

TEST(PrivateText, MachinesAndPeopleGo) {
  EXPECT_EQ(cleaned("ssh ada@build-01: done"), "ssh redacted_user_1: done");
  EXPECT_EQ(cleaned("by ada.lovelace@example.co.uk."), "by redacted_email_1.");
  EXPECT_EQ(cleaned("10.1.2.3:8080 and 192.168.0.17"),
            "redacted_address_1:8080 and redacted_address_2");
  EXPECT_EQ(cleaned("fe80::1ff:fe23:4567:890a, 2001:db8:0:0:0:0:0:1"),
            "redacted_address_1, redacted_address_2");
  EXPECT_EQ(cleaned("on gpu7.research.acme.com and build01.corp"),
            "on redacted_host_1 and redacted_host_2");
  EXPECT_EQ(cleaned("http://gpu7/jobs?id=3 s3://acme-models/net"),
            "redacted_address_1 redacted_address_2");
  EXPECT_EQ(
      cleaned("{\"host\": \"gpu7\", \"user\": \"lovelace\"} HOSTNAME=gpu8"),
      "{\"host\": \"redacted_host_1\", \"user\": \"redacted_user_1\"} HOSTNAME=redacted_host_2");
}

TEST(PrivateText, KeysAndPasswordsGo) {
  for (const char* key :
       {"hf_AbCdEfGhIjKlMnOpQrStUvWxYz012345", "ghp_0123456789abcdefghijABCDEFGHIJ012345",
        "AKIAIOSFODNN7EXAMPLE", "sk-proj-abcdEFGH1234567890abcd", "glpat-abcdEFGH12345678_x9",
        "xoxb-123456789012-abcdefXYZ",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLWhlcmU"}) {
    EXPECT_EQ(cleaned(std::string("load(\"") + key + "\")"), "load(\"redacted_token_1\")");
    EXPECT_EQ(cleaned(std::string("x ") + key + ", y " + key),
              "x redacted_token_1, y redacted_token_1");
  }
  EXPECT_EQ(cleaned("Authorization: Bearer abc.def-123_456"),
            "Authorization: Bearer redacted_token_1");
  EXPECT_EQ(cleaned("{'Authorization': 'Basic YWRhOnNlY3JldA=='}"),
            "{'Authorization': 'Basic redacted_token_1'}");
  EXPECT_EQ(cleaned("password = 'correct horse'"), "password = 'redacted_token_1'");
  EXPECT_EQ(cleaned("{\"api_key\": \"letmein\"}"), "{\"api_key\": \"redacted_token_1\"}");
  EXPECT_EQ(cleaned("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
            "AWS_SECRET_ACCESS_KEY=redacted_token_1");
  EXPECT_EQ(cleaned("WANDB_KEY=0123456789abcdef0123456789abcdef01234567"),
            "WANDB_KEY=redacted_token_1");
  EXPECT_EQ(cleaned("the token 0123456789abcdef0123456789abcdef"), "the token redacted_token_1");
  EXPECT_EQ(cleaned("https://ada:hunter2@github.com/acme/net"), "redacted_address_1");
  EXPECT_EQ(cleaned("a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb"),
            "a\nredacted_token_1\nb");
}

TEST(PrivateText, EscapedPathsGoAsPlainOnesDo) {
  EXPECT_EQ(cleaned("see?file=%2Fhome%2Fada%2Fnets%2Fnet.py&x=%2e"), "see?file=net.py&x=%2e");
  EXPECT_EQ(cleaned("%252Fhome%252Fada%252Fnet.py"), "net.py");
  EXPECT_EQ(cleaned(R"({"file": "\/home\/ada\/net.py", "rate": "a\/b"})"),
            R"({"file": "net.py", "rate": "a\/b"})");
  EXPECT_EQ(cleaned(R"("\u002fhome\u002fada\u002fnet.py" '\x2fhome\x2fada\x2fnet.py')"),
            R"("net.py" 'net.py')");
  EXPECT_EQ(cleaned("by ada.lovelace%40acme.com"), "by redacted_email_1");
  EXPECT_EQ(cleaned("%40 = torch.aten.add.Tensor %2, %3d, %41"),
            "%40 = torch.aten.add.Tensor %2, %3d, %41");
  EXPECT_EQ(cleaned("unix:///home/ada/run/x.sock, sqlite:////home/ada/nets.db"), "x.sock, nets.db");
}

TEST(PrivateText, SecretsAreWhatTheWordBeforeThemSays) {
  EXPECT_EQ(cleaned("db_password: x"), "db_password: redacted_token_1");
  EXPECT_EQ(cleaned("os.environ['ACME_MODE'] = 'fast'"),
            "os.environ['ACME_MODE'] = 'redacted_token_1'");
  EXPECT_EQ(cleaned("monkeypatch.setenv(\"ACME_MODE\", \"fast\")"),
            "monkeypatch.setenv(\"ACME_MODE\", \"redacted_token_1\")");
  EXPECT_EQ(cleaned("run --api-key abc --verbose --token=def"),
            "run --api-key redacted_token_1 --verbose --token=redacted_token_2");
  EXPECT_EQ(cleaned("curl -u ada:lovelace x"), "curl -u redacted_token_1 x");
  EXPECT_EQ(cleaned("Set-Cookie: a=b; c=d\nAge: 3"), "Set-Cookie: redacted_token_1\nAge: 3");
  EXPECT_EQ(cleaned("https://github.com/acme/net?token=abc&page=2"),
            "https://github.com/acme/net?token=redacted_token_1&page=2");
  for (const char* text :
       {"def load(password: str)", "load(password=password)", "self.password = None",
        "EOS_TOKEN=<s>", "api_key = os.environ['KEY']", "secret = make(x)",
        "tokenizer --pad-token 0", "python -u train.py", "cut -p 3", "key = w1"})
    EXPECT_EQ(cleaned(text), text);
}

TEST(PrivateText, RemoteFilesAndKeysWithTheirOwnersGo) {
  EXPECT_EQ(cleaned("scp ada@lovelace:nets/net.pt2 gpu7:/srv/x ."),
            "scp redacted_user_1 redacted_address_1 .");
  EXPECT_EQ(cleaned("clone git@github.com:acme/net.git"), "clone redacted_address_1");
  EXPECT_EQ(cleaned("ssh-rsa AAAAB3NzaC1yc2E ada@lovelace and"), "redacted_token_1 and");
  EXPECT_EQ(cleaned("00:1b:44:11:3a:b7 at 12:34:56"), "redacted_address_1 at 12:34:56");
  EXPECT_EQ(cleaned("volume cache:/x, layer:norm, a:b"), "volume cache:x, layer:norm, a:b");
}

TEST(PrivateText, WhatTheMachineIsKnownByGoes) {
  EXPECT_EQ(cleaned("cache:/srv/people/ada/nets/net.py", kAda), "cache:net.py");
  EXPECT_EQ(cleaned("x/srv/people/ada/nets/net.py /srv/people/ada", kAda), "xnet.py redacted_home");
  EXPECT_EQ(cleaned("ran by ada on build-01, not by adam on build-011", kAda),
            "ran by redacted_user on redacted_host, not by adam on build-011");
  // An account's name that is a word of every program stays.
  EXPECT_EQ(cleaned("torch.aten.model", {"/root", "torch", "model"}), "torch.aten.model");
}

TEST(PrivateText, NamesLoseKeysAndPathsOnly) {
  PrivateText filter(kAda);
  EXPECT_EQ(filter.name("layers.0.ada.weight"), "layers.0.ada.weight");
  EXPECT_EQ(filter.name("L['self'].net.local, layers.host.com"),
            "L['self'].net.local, layers.host.com");
  EXPECT_EQ(filter.name("heads.hf_AbCdEfGhIjKl0123.weight"), "heads.redacted_token_1.weight");
  // The same key within another word, and with what a name may not hold.
  EXPECT_EQ(filter.name("p_heads_hf_AbCdEfGhIjKl0123_weight"), "p_heads_redacted_token_1_weight");
  EXPECT_EQ(filter.text("sk-abcd1234efgh5678ijkl"), "redacted_token_2");
  EXPECT_EQ(filter.name("p_sk_abcd1234efgh5678ijkl"), "p_redacted_token_2");
  // PyTorch refuses a name with a dot: these are modules in modules.
  EXPECT_EQ(filter.name("layers.10.1.2.3.gpu7.acme.internal"),
            "layers.10.1.2.3.gpu7.acme.internal");
  EXPECT_EQ(filter.name("heads.ip-10-1-2-3.weight, p_heads_ip_10_1_2_3_weight"),
            "heads.redacted_host_1.weight, p_heads_redacted_host_2_weight");
  EXPECT_EQ(filter.name("clip_10_1_2_3.strip-1-2-3-4.ip_1_2_3"),
            "clip_10_1_2_3.strip-1-2-3-4.ip_1_2_3");
}

TEST(PrivateText, WhatIsNotPrivateStays) {
  // clang-format off
  for (const char* text :
       {"y = a/b/c", "y = a / b", "x // y", "https://example.org/a/b", "https://github.com/llvm/llvm-project/issues/", "loc(\"fx\":3:0)",
        "<stdin>:3:4: error", "examples/models.py", "(a)/b/c", "/", "h = self.w @ x", "h = q@k.transpose(-1, -2)", "@torch.no_grad()",
        "x[1:2, ::2]", "std::vector<int>::at", "torch 2.13.0+cpu", "sm_90.1.2", "key = self.tokens[0]", "num_tokens = 50257", "eos_token='</s>'",
        "hf_attention_mask", "sk-learn", "token embeddings", "self.backbone.net(x)", "model.layers.0.local", "call @main(%0)", "a ~= b",
        "func.func @main(%arg0: !torch.vtensor<[2,3],f32>)", "key, value = self.kv(x)", "user = self.users(x)", "#loc3 = loc(\"relu\"(\"fx\":2:0))",
        "k = k / math.sqrt(d)", "L['self'].layers.0, layers.0, torch.nn.modules.linear.Linear", "ij,jk->ik"})
    // clang-format on
    EXPECT_EQ(cleaned(text, kAda), text);
}

TEST(PrivateText, WhatWasTakenOutIsCountedWithoutATraceOfIt) {
  PrivateText filter(kAda);
  filter.text("/home/ada/net.py and /home/bob/x/other.py and /opt/y and hf_AbCdEfGhIjKl0123");
  std::string all;
  for (const Removed& removed : filter.removed()) all += text(removed) + "\n";
  EXPECT_EQ(all,
            "2 paths under a home folder (now net.py)\n"
            "1 other path (now y)\n"
            "1 key or password (now redacted_token_1)\n");
}

TEST(PrivateText, LongTextsTakeTimeByTheirLength) {
  std::string text;
  for (const char* part :
       {"a-", "/a ", "\"/a", "~b ", "eyJ.", "a.b-", "token=", "\\\\", "x@", "/a/b c d/"})
    for (int i = 0; i < 2'000; ++i) text += part;
  PrivateText().text(text);
}

}  // namespace
}  // namespace fxs
