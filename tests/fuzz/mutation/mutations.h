// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Changes of texts with a structure, for the fuzzers' own mutators.
#include <string>

#include "../fuzz_input.h"
#include "chance.h"

namespace fxs::fuzz {

/// The lines of a program as text, with something changed that still mostly reads: an operator, an
/// argument, a size, a line's place.
std::string mutatedText(std::string text, Chance& chance);
/// A model, capture or any other document as JSON with members, values and nodes changed; other
/// text comes back as it is. `other` lends parts; may be "".
std::string mutatedJson(const std::string& text, const std::string& other, Chance& chance);
/// Of several members one, mostly the first.
std::string mutatedMembers(std::string text, const std::string& other, Chance& chance);

}  // namespace fxs::fuzz
