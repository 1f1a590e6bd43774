// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The raster worker: reads an SVG from stdin and writes it to stdout as a PNG, scaled by its
// argument. A separate program, so that only it loads the drawing library, and in a cage with
// limits.
#include <librsvg/rsvg.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

namespace {

struct Deleter {
  void operator()(GInputStream* stream) const { g_object_unref(stream); }
  void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
};
template <class T>
using Owned = std::unique_ptr<T, Deleter>;

int failed(std::string_view reason) {
  std::cerr << "fxscope-raster: " << reason << '\n';
  return 1;
}

cairo_status_t toStdout(void*, const unsigned char* bytes, unsigned int count) {
  return std::fwrite(bytes, 1, count, stdout) == count ? CAIRO_STATUS_SUCCESS
                                                       : CAIRO_STATUS_WRITE_ERROR;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view word = argc == 2 ? argv[1] : "";
  double scale = 0;
  if (std::from_chars(word.data(), word.data() + word.size(), scale).ptr !=
          word.data() + word.size() ||
      !(scale > 0))
    return failed("expected a scale as its only argument");
  std::ios::sync_with_stdio(false);
  const std::string svg{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};

  GError* error = nullptr;
  const Owned<GInputStream> in(
      g_memory_input_stream_new_from_data(svg.data(), static_cast<gssize>(svg.size()), nullptr));
  // Without a base file, nothing else is loaded. Unlimited: the arrow heads of all edges are one
  // attribute.
  const Owned<RsvgHandle> handle(rsvg_handle_new_from_stream_sync(
      in.get(), nullptr, RSVG_HANDLE_FLAG_UNLIMITED, nullptr, &error));
  if (!handle) return failed(error->message);
  double width = 0, height = 0;
  if (rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &width, &height) == FALSE)
    return failed("the SVG has no size");
  width = std::round(width * scale);
  height = std::round(height * scale);

  const Owned<cairo_surface_t> surface(cairo_image_surface_create(
      CAIRO_FORMAT_RGB24, static_cast<int>(width), static_cast<int>(height)));
  const Owned<cairo_t> cairo(cairo_create(surface.get()));
  const RsvgRectangle viewport{0, 0, width, height};
  if (const cairo_status_t status = cairo_status(cairo.get()); status != CAIRO_STATUS_SUCCESS)
    return failed(cairo_status_to_string(status));
  if (rsvg_handle_render_document(handle.get(), cairo.get(), &viewport, &error) == FALSE)
    return failed(error->message);
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), toStdout, nullptr);
  if (status != CAIRO_STATUS_SUCCESS || std::fflush(stdout) != 0)
    return failed(cairo_status_to_string(status));
  return 0;
}
