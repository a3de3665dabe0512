#include "outline.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <utility>

namespace leanbridge::rpc {

using nlohmann::json;

namespace {

// Reads `id` and `method` of a message, or of each message in a list, and skips everything else.
class OutlineReader : public nlohmann::json_sax<json> {
 public:
  std::vector<MessageOutline> outlines;

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t number) override {
    if (wants(Member::Id)) outlines.back().id = Id(number);
    return value();
  }
  bool number_unsigned(number_unsigned_t number) override {
    if (wants(Member::Id)) outlines.back().id = Id(number);
    return value();
  }
  bool number_float(number_float_t number, const string_t&) override {
    if (wants(Member::Id)) outlines.back().id = Id(number);
    return value();
  }
  bool string(string_t& text) override {
    if (wants(Member::Id)) outlines.back().id = Id(text);
    if (wants(Member::Method)) outlines.back().method = text;
    return value();
  }
  bool binary(binary_t&) override { return value(); }
  bool start_object(std::size_t) override {
    member_ = Member::Other;
    if (depth_ == message_depth_) outlines.emplace_back();
    ++depth_;
    return true;
  }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override {
    member_ = Member::Other;
    if (depth_ == 0) message_depth_ = 1;
    ++depth_;
    return true;
  }
  bool end_array() override { return leave(); }
  bool key(string_t& name) override {
    member_ = Member::Other;
    if (depth_ != message_depth_ + 1) return true;
    // If a name occurs twice, the last member counts, as in the parser.
    if (name == "id") {
      member_ = Member::Id;
      outlines.back().id.reset();
    } else if (name == "method") {
      member_ = Member::Method;
      outlines.back().method.clear();
    }
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  enum class Member { Other, Id, Method };
  bool wants(Member member) const { return member_ == member; }
  bool value() {
    member_ = Member::Other;
    return true;
  }
  bool leave() {
    --depth_;
    return value();
  }

  Member member_ = Member::Other;
  std::size_t depth_ = 0;
  std::size_t message_depth_ = 0;  // nesting around a message: 1 in a batch
};

}  // namespace

std::vector<MessageOutline> outlines_of(std::string_view line) {
  OutlineReader reader;
  if (!json::sax_parse(line, &reader)) return {};
  return std::move(reader.outlines);
}

}  // namespace leanbridge::rpc
