#include "base/error.h"

namespace fxs {

std::string toString(const Error& error) {
  std::string out = error.message;
  for (const std::string& what : error.context) out += "\n  while " + what;
  return out;
}

}  // namespace fxs
