// SPDX-License-Identifier: MIT
// Makes the bytes of input files of every kind, and asks errors for their words.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "datasets/dataset.hpp"
#include "graph/csr_graph.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets::tests {

/// One gzip member, or one zstd frame.
[[nodiscard]] std::string gzip_of(const std::string& content);
[[nodiscard]] std::string zstd_of(const std::string& content);

struct ZipEntry {
  std::string name;
  std::string content;
};
/// A zip archive; `comment` stands behind the end record.
[[nodiscard]] std::string zip_of(const std::vector<ZipEntry>& entries,
                                 bool deflated,
                                 const std::string& comment = "");

/// The bytes of a `.npy` file with the given header literal.
[[nodiscard]] std::string npy_bytes(const std::string& literal,
                                    const std::string& data,
                                    int version = 1);

template <typename T>
[[nodiscard]] std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// A `.npy` file of `values`: type "<f4", shape "(2, 3)".
template <typename T>
[[nodiscard]] std::string npy_of(const std::string& type,
                                 const std::string& shape,
                                 const std::vector<T>& values,
                                 bool fortran_order = false) {
  return npy_bytes("{'descr': '" + type + "', 'fortran_order': " +
                       (fortran_order ? "True" : "False") + ", 'shape': " + shape + ", }",
                   bytes_of(values));
}

/// The message of the InputError that `work` throws; fails the test if there is none.
template <typename Work>
[[nodiscard]] std::string error_of(Work work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another exception: " << error.what();
    return {};
  }
  ADD_FAILURE() << "no error";
  return {};
}

/// Fails the test unless `message` holds all of `parts`.
void expect_parts(const std::string& message, std::initializer_list<std::string> parts);

/// Arcs (source, destination, weight) of a graph, sorted.
using Arcs = std::vector<std::tuple<int, int, float>>;
[[nodiscard]] Arcs arcs_of(const graph::CsrView& graph);

template <typename T>
[[nodiscard]] std::vector<T> vector_of(std::span<const T> values) {
  return {values.begin(), values.end()};
}

}  // namespace weft::datasets::tests
