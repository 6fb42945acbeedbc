// SPDX-License-Identifier: MIT
// zstd by its streaming interface: frames one after the other, skippable frames included, content
// sizes not needed, windows of `zstd --long=31` accepted.
#include <zstd.h>

#include <new>
#include <string_view>

#include "datasets/decompress.hpp"
#include "datasets/input_problems.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

namespace {

constexpr int largest_window_log = 31;

class ZstdDecompressor : public Decompressor {
 public:
  ZstdDecompressor(std::span<const std::byte> bytes, const std::string& name)
      : name_(name), stream_(ZSTD_createDStream()), input_{bytes.data(), bytes.size(), 0} {
    if (stream_ == nullptr) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, largest_window_log);
  }
  ~ZstdDecompressor() override { ZSTD_freeDStream(stream_); }
  ZstdDecompressor(const ZstdDecompressor&) = delete;
  ZstdDecompressor& operator=(const ZstdDecompressor&) = delete;

  std::size_t read(std::span<char> out) override {
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    while (output.pos < output.size && (input_.pos < input_.size || inside_frame_)) {
      const std::size_t before_in = input_.pos;
      const std::size_t before_out = output.pos;
      const std::size_t status = ZSTD_decompressStream(stream_, &output, &input_);
      if (ZSTD_isError(status) != 0) {
        // The window of a frame is allocated when the frame begins.
        const std::string_view reason = ZSTD_getErrorName(status);
        if (reason.find("not enough memory") != reason.npos) throw std::bad_alloc();
        fail_at_byte(name_, input_.pos, text("the zstd stream is damaged (", reason, ")"));
      }
      inside_frame_ = status != 0;
      if (input_.pos == before_in && output.pos == before_out && inside_frame_) {
        fail_at_byte(name_, input_.size, "the zstd stream ends early; the file was cut short");
      }
    }
    return output.pos;
  }

  [[nodiscard]] std::size_t position() const override { return input_.pos; }

 private:
  std::string name_;
  ZSTD_DStream* stream_;
  ZSTD_inBuffer input_;
  bool inside_frame_ = false;
};

}  // namespace

std::unique_ptr<Decompressor> make_zstd_decompressor(std::span<const std::byte> bytes,
                                                     const std::string& name) {
  return std::make_unique<ZstdDecompressor>(bytes, name);
}

}  // namespace weft::datasets
