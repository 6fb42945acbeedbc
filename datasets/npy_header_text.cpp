// SPDX-License-Identifier: MIT
// A reader of exactly the Python that NumPy allows in a header: a dict of three keys with a string
// (or a list, for records, which is refused), a bool and a tuple of integers.
#include "datasets/npy_header_text.hpp"

#include <charconv>

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

namespace {

class HeaderParser {
 public:
  HeaderParser(std::string_view literal, const std::string& name, std::size_t offset)
      : rest_(literal), name_(name), offset_(offset) {}

  NpyHeader parse() {
    expect('{');
    while (!accept('}')) {
      parse_entry();
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (!rest_.empty()) fail("text after the header's dict");
    if (!has_type_ || !has_order_ || !has_shape_) {
      fail("the header lacks one of 'descr', 'fortran_order', 'shape'");
    }
    return header_;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(text(name_, ":@", offset_, ": ", message));
  }

  void skip_blanks() {
    while (!rest_.empty() && std::string_view(" \t\r\n").find(rest_.front()) != rest_.npos) {
      rest_.remove_prefix(1);
    }
  }

  bool accept(char wanted) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted)) fail(text("the header is no dict literal: '", wanted, "' expected"));
  }

  std::string_view parse_string() {
    skip_blanks();
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) {
      fail("the header is no dict literal: a quoted string expected");
    }
    const std::size_t end = rest_.find(rest_.front(), 1);
    if (end == rest_.npos) fail("the header has a string without end");
    const std::string_view found = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return found;
  }

  void parse_entry() {
    const std::string_view key = parse_string();
    expect(':');
    if (key == "descr") {
      parse_type();
    } else if (key == "fortran_order") {
      parse_order();
    } else if (key == "shape") {
      parse_shape();
    } else {
      fail(text("the header has the unknown key '", key, "'"));
    }
  }

  void parse_type() {
    skip_blanks();
    if (!rest_.empty() && rest_.front() == '[') {
      fail("record type, expected plain numbers; save each field as an array of its own");
    }
    const std::string_view name = parse_string();
    const std::string_view order = name.substr(0, 1);
    if (name.size() < 3 || std::string_view("<>|=").find(order) == name.npos) {
      fail_type(name);
    }
    header_.big_endian = order == ">";
    header_.kind = name[1];
    const std::string_view width = name.substr(2);
    if (width != "1" && width != "2" && width != "4" && width != "8") fail_type(name);
    header_.item_bytes = width[0] - '0';
    const bool is_known = header_.kind == 'i' || header_.kind == 'u' ||
                          (header_.kind == 'f' && header_.item_bytes > 1) ||
                          (header_.kind == 'b' && header_.item_bytes == 1);
    if (!is_known) fail_type(name);
    has_type_ = true;
  }

  [[noreturn]] void fail_type(std::string_view name) const {
    constexpr std::string_view expected =
        ", expected numbers (f2, f4, f8, i1..i8, u1..u8 or b1); convert with astype";
    const char kind = name.size() > 1 ? name[1] : ' ';
    if (kind == 'O')
      fail("object array (it holds a pickle, which is never executed)" + std::string(expected));
    if (kind == 'c') fail(text("complex type '", name, "'", expected));
    if (kind == 'U' || kind == 'S') fail(text("text type '", name, "'", expected));
    fail(text("type '", name, "'", expected));
  }

  void parse_order() {
    skip_blanks();
    header_.fortran_order = rest_.starts_with("True");
    if (!header_.fortran_order && !rest_.starts_with("False")) {
      fail("'fortran_order' is neither True nor False");
    }
    rest_.remove_prefix(header_.fortran_order ? 4 : 5);
    has_order_ = true;
  }

  void parse_shape() {
    expect('(');
    header_.shape.clear();
    while (!accept(')')) {
      skip_blanks();
      std::int64_t extent = 0;
      const auto [end, status] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
      if (status != std::errc()) fail("'shape' is no tuple of 64-bit integers");
      if (extent < 0) fail(text("negative dimension ", extent, " in the shape"));
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      accept('L');
      header_.shape.push_back(extent);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    has_shape_ = true;
  }

  std::string_view rest_;
  const std::string& name_;
  std::size_t offset_;
  NpyHeader header_;
  bool has_type_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
};

}  // namespace

NpyHeader parse_npy_header_text(std::string_view literal,
                                const std::string& name,
                                std::size_t offset) {
  return HeaderParser(literal, name, offset).parse();
}

}  // namespace weft::datasets
