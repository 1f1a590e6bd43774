# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kinds of private data that have a form, each as it stands in a text: NAME: (text, what may not be left of it).

All are made up, and put together from parts so that no scanner of repositories takes one for real.
"""
import string

DIGITS, LOWER = string.digits, string.ascii_lowercase
MIXED = "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zC3fG6iJ9lM2oP5qR8sT1uV4wX7yZ0bA3cD6eF9hI2kL5nO8"


def mixed(count):
    return (MIXED * (count // len(MIXED) + 1))[:count]


def hexed(count):
    return ("0a1b2c3d4e5f6789" * (count // 16 + 1))[:count]


def key(prefix, count=40, make=mixed):
    """A key that begins like this: all after the prefix must go."""
    body = make(count)
    return prefix + body, [body[:12], body[-8:]]


PRIVATE_KEY = "-----BEGIN {0} KEY" + "{1}-----\nMIIEow" + mixed(40) + "\n-----END {0} KEY{1}-----"

SECRETS = {
    "Hugging Face": key("hf" + "_", 34),
    "GitHub": key("ghp" + "_", 36),
    "GitHub, fine-grained": key("github" + "_pat_", 60),
    "GitLab": key("glpat" + "-", 20),
    "OpenAI": key("sk" + "-proj-"),
    "Anthropic": key("sk" + "-ant-api03-", 60),
    "AWS": ("AK" + "IA" + "Z7X6Y5W4V3U2T1S0", ["Z7X6Y5W4"]),
    "AWS, by word": ("aws_secret_access" + "_key = " + mixed(40), [mixed(12)]),
    "Google": key("AI" + "za", 35),
    "Google, OAuth": key("GOC" + "SPX-", 28),
    "Slack": key("xo" + "xb-123456789012-", 24),
    "Slack, webhook": ("https://hooks.sl" + "ack.com/services/T0001/B0002/" + mixed(24), ["T0001", mixed(12)]),
    "Databricks": key("da" + "pi", 32, hexed),
    "Vault": key("hv" + "s.", 90),
    "Vault, old": ("s." + mixed(24), [mixed(12)]),
    "Doppler": key("dp" + ".pt.", 43),
    "Doppler, service": key("dp" + ".st.dev.", 43),
    "Telegram": ("712345" + "6789:AA" + mixed(33), [mixed(12), "7123456789"]),
    "Telegram, address": ("https://api.telegram.org/bot712345" + "6789:AA" + mixed(33) + "/getMe", [mixed(12)]),
    "Discord": ("M" + mixed(23) + "." + mixed(6) + "." + mixed(30), [mixed(12)]),
    "Stripe": key("sk" + "_live_", 24),
    "SendGrid": ("S" + "G." + mixed(22) + "." + mixed(43), [mixed(12)]),
    "Twilio": key("S" + "K", 32, hexed),
    "Mailgun": key("ke" + "y-", 32, hexed),
    "Mailchimp": (hexed(32) + "-us" + "12", [hexed(12)]),
    "npm": key("np" + "m_", 36),
    "PyPI": key("py" + "pi-AgEIcHlwaS5vcmc", 60),
    "Docker": key("dckr" + "_pat_", 27),
    "NVIDIA": key("nv" + "api-", 60),
    "Groq": key("gs" + "k_", 52),
    "Replicate": key("r8" + "_", 37),
    "Weights & Biases": ("WANDB_API" + "_KEY=" + hexed(40), [hexed(12)]),
    "LangSmith": key("lsv2" + "_pt_", 43),
    "Pinecone": key("pc" + "sk_", 60),
    "DigitalOcean": key("dop" + "_v1_", 64, hexed),
    "Shopify": key("shp" + "at_", 32, hexed),
    "Square": key("sq0" + "atp-", 22),
    "Atlassian": key("ATA" + "TT3xFfGF0", 60),
    "Linear": key("lin" + "_api_", 40),
    "Notion": key("nt" + "n_", 46),
    "Figma": key("fi" + "gd_", 40),
    "Postman": key("PM" + "AK-", 59),
    "Grafana": key("gl" + "sa_", 32),
    "Sentry": key("sn" + "trys_", 60),
    "Terraform": (mixed(14) + ".atlas" + "v1." + mixed(60), [mixed(12)]),
    "Tailscale": key("ts" + "key-auth-", 24),
    "Azure, application": ("aB3" + "8Q~" + mixed(34), [mixed(12)]),
    "Azure, storage": ("DefaultEndpointsProtocol=https;Account" + "Key=" + mixed(86) + "==;", [mixed(12)]),
    "Azure, signature": ("https://github.com/acme/net?sv=2024&sig" + "=aB3%2Bxy", ["aB3%2Bxy"]),
    "JSON Web Token": ("ey" + "J" + mixed(20) + ".eyJ" + mixed(30) + "." + mixed(40), [mixed(12)]),
    "private key": (PRIVATE_KEY.format("RSA PRIVATE", ""), [mixed(12)]),
    "PGP key": (PRIVATE_KEY.format("PGP PRIVATE", " BLOCK"), [mixed(12)]),
    "age": key("AGE-SECRET" + "-KEY-1", 58, lambda n: "Q9P8Z7R6" * (n // 8 + 1)),
    "public key of a person": ("ssh-ed25519 AAAAC3Nz" + mixed(50) + " adalov@lovelace", ["lovelace", mixed(12)]),
    "stored password": ("$6" + "$" + mixed(8) + "$" + mixed(86), [mixed(12)]),
    "password in YAML": ("db_pass" + "word: x9", ["x9"]),
    "password of letters": ("db_pass" + "word: qwertz", ["qwertz"]),
    "password in Python": ("pass" + "word = 'correct horse'", ["correct horse"]),
    "environment in Python": ("os.environ['" + "ACME_FOO'] = 'qwertz'", ["qwertz"]),
    "environment by default": ("os.environ.setdefault(\"" + "ACME_FOO\", \"qwertz\")", ["qwertz"]),
    "environment of a shell": ("export HF_" + "TOKEN=qwertz", ["qwertz"]),
    "option": ("tool --pass" + "word qwertz run", ["qwertz"]),
    "option in a list": ("['tool', '--tok" + "en', 'qwertz']", ["qwertz"]),
    "curl": ("curl -u adalov:" + "qwertz x", ["qwertz"]),
    "sshpass": ("sshpass -p " + "qwertz ssh x", ["qwertz"]),
    "netrc": ("machine api login adalov pass" + "word qwertz", ["qwertz"]),
    "Bearer": ("Authorization: Bea" + "rer abc.def-123_456", ["abc.def"]),
    "Basic": ("{'Authorization': 'Bas" + "ic YWRhOnF3ZXJ0eg=='}", ["YWRhOnF3"]),
    "cookie": ("Cookie: session=" + "qwertz; a=b", ["qwertz"]),
    "query": ("https://github.com/acme/net?access_tok" + "en=qwertz&x=1", ["qwertz"]),
    "address with a password": ("postgresql://adalov:" + "qwertz@localhost:5432/nets", ["qwertz", "adalov"]),
    "address of a machine": ("http://gpu7:8080/jobs", ["gpu7"]),
    "address of a socket": ("unix:///home/adalov/run/x.sock", ["/home", "adalov"]),
    "machine": ("gpu7.research.acme.com", ["acme"]),
    "machine in a net": ("gpu7.acme.internal", ["acme"]),
    "machine of another country": ("build-3.acme.de", ["acme"]),
    "machine by its number": ("ip-10-" + "1-2-3", ["10-1-2-3", "10_1_2_3"]),
    "machine by word": ("MASTER_ADDR=lovelace", ["lovelace"]),
    "scp": ("scp net.pt2 adalov@lovelace:nets/net.pt2", ["adalov@", "lovelace", "nets/"]),
    "scp without a user": ("gpu7:/srv/nets/net.pt2", ["gpu7", "/srv"]),
    "git": ("git@github.com:acme/secret.git", ["acme"]),
    "ssh": ("ssh adalov@lovelace", ["lovelace"]),
    "IP": ("10.1.2.3", ["10.1.2.3"]),
    "IPv6": ("fe80::1ff:fe23:4567:890a", ["890a"]),
    "MAC": ("00:1b:44:11:3a:b7", ["44:11"]),
    "e-mail": ("adalov.lovelace@acme.co.uk", ["lovelace"]),
    "Kerberos": ("adalov.lovelace@ACME.COM", ["lovelace", "ACME"]),
    "resource of AWS": ("arn:aws:iam::123456789012:user/adalov", ["123456789012"]),
    "home": ("/home/adalov/nets/net.py", ["/home", "adalov"]),
    "home in a URL": ("%2Fhome%2Fada%2Fnets%2Fnet.py", ["adalov", "nets"]),
    "home in a URL, twice": ("%252Fhome%252Fada%252Fnets%252Fnet.py", ["adalov", "nets"]),
    "home in JSON": ("\\/home\\/adalov\\/nets\\/net.py", ["adalov", "nets"]),
    "home in JSON, by number": ("\\u002fhome\\u002fada\\u002fnets\\u002fnet.py", ["adalov", "nets"]),
    "home of Windows": ("C:\\Users\\Ada Lovelace\\net.py", ["Lovelace"]),
    "share": ("\\\\fileserver\\research\\net.py", ["fileserver", "research"]),
    "home of a name": ("~adalov/nets/net.py", ["adalov", "nets"]),
}
# Those that a name of a module may hold: PyTorch refuses names with a dot, so that no host and no IP address is one.
IN_NAMES = [name for name, (text, _) in SECRETS.items() if text.replace("_", "").replace("-", "").isalnum() and "," not in text]
