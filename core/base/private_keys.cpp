// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys that are recognized by their own form, wherever they stand.
#include <array>

#include "base/private_chars.h"
#include "base/private_scan.h"

namespace fxs {
namespace {

struct Prefix {
  std::string_view text;
  std::size_t least;           // characters after it
  std::string_view also = "";  // allowed in addition to letters and digits
};
constexpr auto kPrefixes = std::to_array<Prefix>({
    // Models and data
    {"hf_", 10},
    {"api_org_", 16},
    {"sk-", 16, "_-"},
    {"pk-lf-", 16, "-"},
    {"nvapi-", 16, "_-"},
    {"gsk_", 30},
    {"pplx-", 30},
    {"r8_", 30},
    {"xai-", 30},
    {"csk-", 30},
    {"jina_", 30},
    {"pcsk_", 30, "_"},
    {"lsv2_pt_", 20, "_"},
    {"lsv2_sk_", 20, "_"},
    {"tgp_v1_", 20, "_-"},
    {"rpa_", 30},
    {"wandb_v1_", 20, "_-"},
    {"dapi", 32, "-"},
    {"dckr_pat_", 16, "_-"},
    {"dckr_oat_", 16, "_-"},
    // Sources and packages
    {"ghp_", 10},
    {"gho_", 10},
    {"ghu_", 10},
    {"ghs_", 10},
    {"ghr_", 10},
    {"github_pat_", 16, "_"},
    {"glpat-", 12, "_-."},
    {"gldt-", 12, "_-"},
    {"glrt-", 12, "_-."},
    {"glcbt-", 12, "_-"},
    {"glptt-", 12, "_-"},
    {"glft-", 12, "_-"},
    {"glsoat-", 12, "_-"},
    {"glimt-", 12, "_-"},
    {"glagent-", 12, "_-"},
    {"GR1348941", 16, "_-"},
    {"npm_", 30},
    {"pypi-", 30, "_-"},
    {"rubygems_", 30},
    {"ATATT3", 20, "_-="},
    {"ATCTT3", 20, "_-="},
    {"ATBB", 24},
    {"CCIPAT_", 16, "_"},
    {"sntrys_", 20, "_-=+/"},
    {"sntryu_", 20},
    {"lin_api_", 16},
    {"lin_oauth_", 16},
    {"PMAK-", 20, "-"},
    {"figd_", 16, "_-"},
    {"ntn_", 16},
    {"secret_", 40},
    {"NRAK-", 16},
    {"NRJS-", 12},
    {"NRII-", 16, "_-"},
    {"glsa_", 16, "_"},
    {"glc_", 20, "+/="},
    // Clouds
    {"AKIA", 16},
    {"ASIA", 16},
    {"ABIA", 16},
    {"ACCA", 16},
    {"AROA", 16},
    {"AIDA", 16},
    {"LTAI", 12},
    {"AKID", 13},
    {"AIza", 30, "_-"},
    {"ya29.", 16, "_-."},
    {"GOCSPX-", 16, "_-"},
    {"1//0", 30, "_-"},
    {"dop_v1_", 30},
    {"doo_v1_", 30},
    {"dor_v1_", 30},
    {"HRKU-", 20, "_-"},
    {"nfp_", 20},
    {"fo1_", 20, "_-"},
    {"rnd_", 20},
    {"tskey-", 12, "-"},
    {"pscale_tkn_", 16, "_-."},
    {"pscale_pw_", 16, "_-."},
    {"pscale_oauth_", 16, "_-."},
    {"sbp_", 30},
    {"sb_secret_", 16, "_-"},
    {"pul-", 30},
    {"hvs.", 20, "_-"},
    {"hvb.", 20, "_-"},
    {"hvr.", 20, "_-"},
    {"dp.pt.", 16, "_-."},
    {"dp.st.", 16, "_-."},
    {"dp.ct.", 16, "_-."},
    {"dp.sa.", 16, "_-."},
    {"dp.scim.", 16, "_-."},
    {"dp.audit.", 16, "_-."},
    {"AGE-SECRET-KEY-1", 30},
    // People and money
    {"xoxa-", 10, "-"},
    {"xoxb-", 10, "-"},
    {"xoxc-", 10, "-"},
    {"xoxd-", 10, "-%"},
    {"xoxe-", 10, "-"},
    {"xoxp-", 10, "-"},
    {"xoxr-", 10, "-"},
    {"xoxs-", 10, "-"},
    {"xapp-", 10, "-"},
    {"SG.", 30, "_-."},
    {"xkeysib-", 30, "-"},
    {"EAAC", 40},
    {"EAAG", 40},
    {"sk_live_", 16},
    {"sk_test_", 16},
    {"rk_live_", 16},
    {"rk_test_", 16},
    {"whsec_", 16, "+/="},
    {"shpat_", 30},
    {"shpss_", 30},
    {"shpca_", 30},
    {"shppa_", 30},
    {"sq0atp-", 16, "_-"},
    {"sq0csp-", 16, "_-"},
});

bool isOfTokens(char c) { return isAlnum(c) || isOneOf(c, "_-"); }

/// The end of `count` characters of this kind from `at` on, of exactly as many; 0 if there are more
/// or fewer.
template <class Is>
std::size_t endOfRun(std::string_view text, std::size_t at, std::size_t least, std::size_t most,
                     Is is) {
  const std::size_t end = endOf(text, at, is, most + 1);
  return end - at >= least && end - at <= most ? end : 0;
}

/// Parts between dots, of at least so many characters each.
std::size_t endOfParts(std::string_view text, std::size_t at,
                       std::initializer_list<std::size_t> least) {
  for (const std::size_t& size : least) {
    const bool last = &size == least.end() - 1;
    at = endOfRun(text, at, size, kFar, isOfTokens);
    if (at == 0 || (!last && (at >= text.size() || text[at++] != '.'))) return 0;
  }
  return at;
}

bool isSmallHex(char c) { return isHex(c) && !isUpper(c); }

// The functions below return the end of a key; 0 if there is none.

/// Telegram: the number of a bot, and its key.
std::size_t endOfTelegramKey(std::string_view text, std::size_t at) {
  const std::size_t number = text.substr(at).starts_with("bot") ? at + 3 : at;
  const std::size_t colon = endOfRun(text, number, 8, 10, isDigit);
  if (colon == 0 || charAt(text, colon) != ':') return 0;
  return endOfRun(text, colon + 1, 35, 35, isOfTokens);
}

/// Twilio, Mailgun, Mailchimp: 32 hexadecimal digits.
std::size_t endOfHexKey(std::string_view text, std::size_t at) {
  for (const std::string_view prefix : {"SK", "AC", "key-"})
    if (text.substr(at).starts_with(prefix))
      return endOfRun(text, at + prefix.size(), 32, 32, isSmallHex);
  const std::size_t end = endOfRun(text, at, 32, 32, isSmallHex);
  if (end == 0 || !text.substr(end).starts_with("-us")) return 0;
  return endOfRun(text, end + 3, 1, 2, isDigit);
}

/// Vault before 1.10.
std::size_t endOfVaultToken(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("s.")) return 0;
  const std::size_t end = endOfRun(text, at + 2, 24, 24, isAlnum);
  return end != 0 && isRandom(text.substr(at + 2, 24)) ? end : 0;
}

/// The secrets of applications in Azure.
std::size_t endOfAzureSecret(std::string_view text, std::size_t at) {
  const std::string_view here = text.substr(at, kFar);
  if (here.size() <= 36 || !isDigit(here[3]) || here.substr(4, 2) != "Q~") return 0;
  const std::size_t end =
      endOf(text, at + 6, [](char c) { return isOfTokens(c) || isOneOf(c, ".~"); });
  return end >= at + 37 ? end : 0;
}

std::size_t endOfAirtableToken(std::string_view text, std::size_t at) {
  const std::string_view here = text.substr(at, kFar);
  if (!here.starts_with("pat") || here.size() <= 81 || here[17] != '.') return 0;
  if (endOfRun(text, at + 3, 14, 14, isAlnum) == 0) return 0;
  return endOfRun(text, at + 18, 64, 64, isSmallHex);
}

std::size_t endOfDiscordToken(std::string_view text, std::size_t at) {
  if (!isOneOf(text[at], "MNO") || endOfRun(text, at, 23, 28, isOfTokens) == 0) return 0;
  return endOfParts(text, at, {23, 6, 27});
}

std::size_t endOfJsonWebToken(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("eyJ")) return 0;
  if (const std::size_t end = endOfParts(text, at, {6, 6, 6})) return end;
  return endOfParts(text, at, {6, 6});
}

/// A password as systems store it: $6$salt$hash.
std::size_t endOfStoredPassword(std::string_view text, std::size_t at) {
  if (text[at] != '$') return 0;
  const std::size_t kind = endOf(text, at + 1, [](char c) { return isAlnum(c) || c == '-'; });
  if (!isAnyOf(text.substr(at + 1, kind - at - 1),
               {"1", "2a", "2b", "2y", "5", "6", "y", "apr1", "argon2i", "argon2id", "scrypt",
                "pbkdf2-sha256"}))
    return 0;
  return endOfRun(text, kind, 20, kFar, [](char c) { return isKeyChar(c) || isOneOf(c, "$,"); });
}

/// A key whose form is more than a prefix.
std::size_t endOfForm(std::string_view text, std::size_t at) {
  if (const std::size_t end = endOfTelegramKey(text, at)) return end;
  if (const std::size_t end = endOfHexKey(text, at)) return end;
  if (const std::size_t end = endOfVaultToken(text, at)) return end;
  if (const std::size_t end = endOfAzureSecret(text, at)) return end;
  if (const std::size_t end = endOfAirtableToken(text, at)) return end;
  const std::string_view here = text.substr(at, kFar);
  const bool ofTerraform = here.size() > 23 && here.substr(14).starts_with(".atlasv1.");
  if (ofTerraform)
    if (const std::size_t end = endOfRun(text, at + 23, 40, kFar, isOfTokens)) return end;
  if (const std::size_t end = endOfDiscordToken(text, at)) return end;
  if (const std::size_t end = endOfJsonWebToken(text, at)) return end;
  return endOfStoredPassword(text, at);
}

/// A key of SSH with its comment, which names the user and the machine.
std::size_t endOfPublicKey(std::string_view text, std::size_t at) {
  const std::string_view here = text.substr(at, kFar);
  if (!here.starts_with("ssh-") && !here.starts_with("ecdsa-sha2-") &&
      !here.starts_with("sk-ssh-") && !here.starts_with("sk-ecdsa-"))
    return 0;
  const std::size_t kind = endOf(text, at, [](char c) { return isAlnum(c) || isOneOf(c, "-@."); });
  if (!text.substr(kind).starts_with(" AAAA")) return 0;
  const std::size_t key =
      endOf(text, kind + 1, [](char c) { return isAlnum(c) || isOneOf(c, "+/="); }, kFar);
  return charAt(text, key) == ' ' ? endBefore(text, key + 1, "\"'`<>\\", kWord) : key;
}

/// The block of a private key, up to the end of the text if it is not closed.
std::size_t endOfKeyBlock(std::string_view text, std::size_t at) {
  const std::size_t key = text.substr(at, 64).find("PRIVATE KEY");
  if (key == std::string_view::npos) return 0;
  const std::size_t end = text.find("-----END", at + key);
  if (end == std::string_view::npos) return text.size();
  const std::size_t close = text.find("-----", end + 8);
  return close == std::string_view::npos ? text.size() : close + 5;
}

std::size_t endOfPrefixed(std::string_view text, std::size_t at) {
  const std::string_view here = text.substr(at, kFar);
  for (const Prefix& prefix : kPrefixes) {
    if (!here.starts_with(prefix.text)) continue;
    const std::size_t begin = at + prefix.text.size();
    std::size_t end =
        endOf(text, begin, [&](char c) { return isAlnum(c) || isOneOf(c, prefix.also); }, kFar);
    while (end > begin && !isAlnum(text[end - 1]) && text[end - 1] != '=') --end;
    const std::string_view key = text.substr(begin, end - begin);
    if (key.size() >= prefix.least && (isMixed(key) || key.size() >= 30)) return end;
  }
  return 0;
}

PrivateMatch keyIn(std::size_t begin, std::size_t end) {
  return {begin, end, PrivateKind::Token, "token"};
}

/// What follows `Bearer`.
std::optional<PrivateMatch> bearerTokenAt(std::string_view text, std::size_t at) {
  const std::string_view here = text.substr(at, 8);
  if (here.size() < 8 || !isOneOf(here[6], " :") || folded(here.substr(0, 6)) != "bearer")
    return std::nullopt;
  const std::size_t begin = endOf(text, at + 6, [](char c) { return isOneOf(c, " :"); });
  const std::size_t end = endOf(text, begin, isKeyChar, kFar);
  const std::string_view key = text.substr(begin, end - begin);
  if (key.size() < 8 || isPlaceholder(key) || !isMixed(key)) return std::nullopt;
  return keyIn(begin, end);
}

}  // namespace

std::optional<PrivateMatch> tokenAt(std::string_view text, std::size_t at) {
  if (text.substr(at).starts_with("-----BEGIN")) {
    const std::size_t end = endOfKeyBlock(text, at);
    return end == 0 ? std::nullopt : std::optional(keyIn(at, end));
  }
  if (const std::size_t end = endOfPrefixed(text, at)) return keyIn(at, end);
  if (const std::size_t end = endOfForm(text, at)) return keyIn(at, end);
  if (const std::size_t end = endOfPublicKey(text, at)) return keyIn(at, end);
  return bearerTokenAt(text, at);
}

}  // namespace fxs
