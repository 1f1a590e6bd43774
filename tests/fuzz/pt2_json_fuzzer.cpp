// The JSON members of a .pt2, in an archive that is otherwise whole: the model, or after "W:" the weights' config file.
#include "pt2_writer.h"
#include "read_everything.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text = fxs::fuzz::textOf(data, size);
  const bool config = text.starts_with("W:");
  if (config) text.remove_prefix(2);
  fxs::test::Pt2 file;
  file.set(config ? "data/weights/model_weights_config.json" : "models/model.json", std::string(text));
  fxs::fuzz::readEverything(file.bytes());
  return 0;
}
