// SPDX-License-Identifier: MIT
#include "tests/datasets/file_makers.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>

namespace weft::datasets::tests {

namespace {

std::string deflate_with(const std::string& content, int window_bits) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, content.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

void put(std::string& out, std::uint64_t value, int width) {
  for (int i = 0; i < width; ++i)
    out.push_back(static_cast<char>(value >> (8 * i) & 0xFF));
}

}  // namespace

std::string gzip_of(const std::string& content) {
  return deflate_with(content, 16 + MAX_WBITS);
}

std::string zstd_of(const std::string& content) {
  std::string out(ZSTD_compressBound(content.size()) + 64, '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);  // as the program zstd does
  const std::size_t size =
      ZSTD_compress2(context, out.data(), out.size(), content.data(), content.size());
  EXPECT_EQ(ZSTD_isError(size), 0U);
  ZSTD_freeCCtx(context);
  out.resize(size);
  return out;
}

std::string zip_of(const std::vector<ZipEntry>& entries,
                   bool deflated,
                   const std::string& comment) {
  std::string out;
  std::string directory;
  for (const ZipEntry& entry : entries) {
    const std::string stored = deflated ? deflate_with(entry.content, -MAX_WBITS) : entry.content;
    const auto crc = crc32(0, reinterpret_cast<const Bytef*>(entry.content.data()),
                           static_cast<uInt>(entry.content.size()));
    std::string common;  // what local header and directory share
    put(common, 20, 2);
    put(common, 0, 2);
    put(common, deflated ? 8 : 0, 2);
    put(common, 0, 4);
    put(common, crc, 4);
    put(common, stored.size(), 4);
    put(common, entry.content.size(), 4);
    put(common, entry.name.size(), 2);
    put(common, 0, 2);
    const std::size_t offset = out.size();
    put(out, 0x04034b50, 4);
    out += common + entry.name + stored;
    put(directory, 0x02014b50, 4);
    put(directory, 20, 2);
    directory += common;
    directory.append(2 + 2 + 2 + 4, '\0');
    put(directory, offset, 4);
    directory += entry.name;
  }
  const std::size_t at = out.size();
  out += directory;
  put(out, 0x06054b50, 4);
  put(out, 0, 4);
  put(out, entries.size(), 2);
  put(out, entries.size(), 2);
  put(out, directory.size(), 4);
  put(out, at, 4);
  put(out, comment.size(), 2);
  return out + comment;
}

std::string npy_bytes(const std::string& literal, const std::string& data, int version) {
  std::string out("\x93NUMPY");
  out.push_back(static_cast<char>(version));
  out.push_back('\0');
  put(out, literal.size() + 1, version == 1 ? 2 : 4);
  return out + literal + "\n" + data;
}

void expect_parts(const std::string& message, std::initializer_list<std::string> parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(message.find(part), message.npos) << "'" << part << "' is not in: " << message;
  }
}

Arcs arcs_of(const graph::CsrView& graph) {
  Arcs arcs;
  for (std::int64_t row = 0; row < graph.num_vertices(); ++row) {
    for (std::int64_t e = graph.row_ptr[static_cast<std::size_t>(row)];
         e < graph.row_ptr[static_cast<std::size_t>(row) + 1]; ++e) {
      arcs.emplace_back(graph.col_idx[static_cast<std::size_t>(e)], static_cast<int>(row),
                        graph.weight(e));
    }
  }
  std::sort(arcs.begin(), arcs.end());
  return arcs;
}

}  // namespace weft::datasets::tests
