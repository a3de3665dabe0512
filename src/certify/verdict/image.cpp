#include "image.hpp"

#include "core/base/try.hpp"
#include "core/olean/olean_region.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace leanbridge::certify {

namespace {

// The tags of Lean's src/include/lean/lean.h. A file cannot contain closures, tasks, references and foreign
// objects; it can contain a thunk that was evaluated.
enum Tag : unsigned {
  kLastConstructor = 244,
  kArray = 246,
  kScalarArray = 248,
  kString = 249,
  kBigNat = 250,
  kThunk = 251
};

constexpr std::size_t kHeader = 8;  // bytes of an object's header

/// One part, and the offsets of its objects.
struct Part {
  std::string_view bytes;
  std::uint64_t base = 0;
  std::size_t first = 0;     // offset of the first object
  std::vector<bool> starts;  // by word

  bool has(std::uint64_t address) const { return base <= address && address - base < bytes.size(); }
};

class Walk {
 public:
  explicit Walk(unsigned width) : width_(width) {}

  Result<void> add(std::string_view bytes, std::size_t base_at) {
    Part part;
    part.bytes = bytes;
    part.base = word(bytes, base_at);
    part.first = base_at + 2U * width_;
    part.starts.resize(bytes.size() / width_ + 1);
    if (part.base % width_ != 0) return malformed(base_at, "the base address is not aligned");
    if (part.base + bytes.size() < part.base) return malformed(base_at, "the base address is too large");
    parts_.push_back(std::move(part));
    Part& own = parts_.back();
    for (at_ = own.first; at_ < bytes.size();) {
      const std::size_t begin = at_;
      if (const char* const problem = object(own)) return malformed(begin, problem);
      own.starts[begin / width_] = true;
    }
    const std::uint64_t root = word(bytes, base_at + width_);
    if (!leads_to_object(root)) return malformed(base_at + width_, "the root is not an object");
    return {};
  }

 private:
  std::uint64_t load(std::string_view bytes, std::size_t at, unsigned size) const {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < size; ++i)
      value |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
    return value;
  }
  std::uint64_t word(std::string_view bytes, std::size_t at) const { return load(bytes, at, width_); }

  Result<void> malformed(std::size_t at, const char* what) const {
    return fail(ErrorKind::Internal, "it is not laid out as Lean writes it: " + std::string(what) +
                                         " (part " + std::to_string(parts_.size()) + ", byte " +
                                         std::to_string(at) + ")");
  }

  /// Whether it is a number, or the beginning of an object that was walked before.
  bool is_reference(std::uint64_t value) const { return olean::is_boxed(value) || leads_to_object(value); }
  bool leads_to_object(std::uint64_t address) const {
    for (const Part& part : parts_) {
      if (!part.has(address)) continue;
      const std::uint64_t offset = address - part.base;
      return offset % width_ == 0 && part.starts[offset / width_];
    }
    return false;
  }

  /// The layout of an object: `references` of width_ bytes from `first` on; `bytes` is its whole size.
  struct Shape {
    std::size_t references = 0, first = kHeader, bytes = 0;
    const char* problem = nullptr;
  };

  static Shape broken(const char* problem) { return {0, 0, 0, problem}; }
  static constexpr const char* kCutOff = "the file ends within an object";

  /// Checks the object at at_ and moves behind it. Returns the problem, or null.
  const char* object(const Part& part) {
    const std::size_t left = part.bytes.size() - at_;
    if (left < kHeader) return kCutOff;
    const Shape shape = shape_of(part, left);
    if (shape.problem) return shape.problem;
    if (shape.bytes > left) return kCutOff;
    for (std::size_t i = 0; i < shape.references; ++i)
      if (!is_reference(word(part.bytes, at_ + shape.first + i * width_)))
        return "a reference leads to no object before it";
    at_ += (shape.bytes + width_ - 1) / width_ * width_;
    if (at_ > part.bytes.size() && at_ - part.bytes.size() >= width_) return kCutOff;
    return nullptr;
  }

  Shape shape_of(const Part& part, std::size_t left) const {
    const auto size = static_cast<std::size_t>(load(part.bytes, at_ + 4, 2));
    const auto other = static_cast<std::size_t>(load(part.bytes, at_ + 6, 1));
    const auto tag = static_cast<unsigned>(load(part.bytes, at_ + 7, 1));
    if (tag <= kLastConstructor) {
      if (size < kHeader + other * width_) return broken("a constructor is smaller than its fields");
      return {other, kHeader, size};
    }
    if (tag == kArray || tag == kScalarArray || tag == kString)
      return array_shape(part, left, tag, tag == kArray ? width_ : tag == kString ? 1 : other);
    if (tag == kBigNat) return number_shape(part, left);
    if (tag == kThunk) {  // one reference, to the value; the compactor drops the closure
      const std::size_t bytes = kHeader + 2U * width_;
      if (left >= bytes && word(part.bytes, at_ + kHeader + width_) != 0)
        return broken("a thunk is not evaluated");
      return {1, kHeader, bytes};
    }
    return broken("an object of an unknown kind");
  }

  /// `each`: the size of an element in bytes.
  Shape array_shape(const Part& part, std::size_t left, unsigned tag, std::size_t each) const {
    const std::size_t first = kHeader + (tag == kString ? 3U : 2U) * width_;
    if (left < first) return broken(kCutOff);
    const std::uint64_t count = word(part.bytes, at_ + kHeader);
    if (word(part.bytes, at_ + kHeader + width_) < count)
      return broken("an object is larger than its capacity");
    if (each == 0) return broken("a scalar array has elements without size");
    if (count > (left - first) / each) return broken(kCutOff);
    if (tag == kString && (count == 0 || part.bytes[at_ + first + count - 1] != '\0'))
      return broken("a string does not end with NUL");
    return {tag == kArray ? count : 0, first, first + count * each};
  }

  Shape number_shape(const Part& part, std::size_t left) const {
    const std::size_t limbs_at = kHeader + 8U + width_;
    if (left < limbs_at) return broken(kCutOff);
    const auto signed_count = static_cast<std::int32_t>(load(part.bytes, at_ + kHeader + 4, 4));
    const auto count =
        static_cast<std::uint64_t>(signed_count < 0 ? -std::int64_t{signed_count} : signed_count);
    if (count > (left - limbs_at) / width_) return broken(kCutOff);
    if (word(part.bytes, at_ + kHeader + 8) != part.base + at_ + limbs_at)
      return broken("the digits of a number are not behind it");
    return {0, kHeader, limbs_at + count * width_};
  }

  unsigned width_;
  std::vector<Part> parts_;
  std::size_t at_ = 0;
};

}  // namespace

Result<void> check_image(std::span<const std::string_view> parts) {
  TRY(const auto region, olean::Region::open(parts));  // reads the header, and finds the width of a word
  Walk walk(region.width());
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (auto added = walk.add(parts[i], region.base_at(i)); !added) return added;
  return {};
}

}  // namespace leanbridge::certify
