#include "olean_region.hpp"

#include "core/base/try.hpp"

namespace leanbridge::olean {
namespace {

constexpr std::string_view kMagic = "olean";
constexpr std::size_t kObjectHeader = 8;
constexpr unsigned kLastConstructor = 244;
constexpr std::size_t kModuleFields = 5;  // imports, names, constants, extra names, entries
constexpr std::string_view kHint = "The module is not indexed; rebuild it, or report its Lean version.";

Ref load(std::string_view bytes, std::size_t at, unsigned width) {
  Ref value = 0;
  for (unsigned i = 0; i < width; ++i) value |= Ref{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return value;
}

unsigned byte(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

/// The offset of the base address in this header version; 0: the version is unknown.
std::size_t base_offset(unsigned version) {
  if (version == 1) return 48;
  if (version == 2) return 80;
  return 0;
}

}  // namespace

Result<Region> Region::open(std::span<const std::string_view> parts) {
  Region region;
  for (const std::string_view bytes : parts) {
    TRY_DONE(region.add(bytes));
  }
  if (region.parts_.empty()) return fail(ErrorKind::Internal, "No .olean was given.");
  return region;
}

Result<void> Region::add(std::string_view bytes) {
  if (!bytes.starts_with(kMagic) || bytes.size() <= kMagic.size())
    return fail(ErrorKind::Internal, "Not an .olean: it does not start with \"olean\".");
  const unsigned version = byte(bytes, kMagic.size());
  const std::size_t base_at = base_offset(version);
  if (base_at == 0)
    return fail(
        ErrorKind::NotSupported,
        "The .olean has format version " + std::to_string(version) + "; only versions 1 and 2 are supported.",
        std::string(kHint));
  Part part;
  bool found = false;
  for (const unsigned width : {8U, 4U}) {
    if (found || (width_ != 0 && width_ != width)) continue;
    if (read_header(bytes, base_at, width, part) && looks_like_module(part, width)) {
      found = true;
      width_ = width;
    }
  }
  if (!found)
    return fail(ErrorKind::Internal, "The .olean is damaged or of an unknown kind: its root is not a module.",
                std::string(kHint));
  for (const Part& other : parts_) {
    if (part.base < other.base + other.bytes.size() && other.base < part.base + bytes.size())
      return fail(ErrorKind::Internal,
                  "The parts of the .olean do not belong together: their addresses overlap.");
  }
  if (parts_.empty() && version == 2) {
    const std::string_view padded = bytes.substr(7, 33);
    lean_version_ = padded.substr(0, padded.find('\0'));
  }
  bytes_ += bytes.size();
  parts_.push_back(part);
  return {};
}

bool Region::read_header(std::string_view bytes, std::size_t base_at, unsigned width, Part& part) const {
  if (bytes.size() < base_at + 2U * width) return false;
  part.bytes = bytes;
  part.base_at = base_at;
  part.base = load(bytes, base_at, width);
  part.root = load(bytes, base_at + width, width);
  return part.base + bytes.size() >= part.base;
}

/// Tells the word widths apart: read with the wrong one, the address leads nowhere.
bool Region::looks_like_module(const Part& part, unsigned width) const {
  if (is_boxed(part.root) || part.root < part.base) return false;
  const Ref at = part.root - part.base;
  const std::size_t least = kObjectHeader + kModuleFields * width;
  if (at > part.bytes.size() || part.bytes.size() - at < least) return false;
  const Ref size = load(part.bytes, at + 4, 2);
  return byte(part.bytes, at + 7) == 0 && byte(part.bytes, at + 6) == kModuleFields && size >= least &&
         size <= least + 8;
}

Ref Region::word(std::string_view bytes, std::size_t at) const {
  return load(bytes, at, width_);
}

void Region::damaged(std::string_view what, Ref where) {
  if (!damage_.empty()) return;
  damage_ = what;
  for (const Part& part : parts_) {
    if (where >= part.base && where - part.base < part.bytes.size())
      damage_ += " at byte " + std::to_string(where - part.base);
  }
}

Object Region::object(Ref ref) {
  if (is_boxed(ref)) return {};
  for (const Part& part : parts_) {
    if (ref < part.base || ref - part.base >= part.bytes.size()) continue;
    const std::string_view rest = part.bytes.substr(ref - part.base);
    if (rest.size() < kObjectHeader) break;
    Object object;
    const unsigned tag = byte(rest, 7);
    std::size_t begin = kObjectHeader;
    std::size_t bytes = 0;
    if (tag <= kLastConstructor) {
      const std::size_t size = load(rest, 4, 2);
      object.count = byte(rest, 6);
      bytes = object.count * width_;
      if (size < begin + bytes || size > rest.size()) break;
      object.scalars = rest.substr(begin + bytes, size - begin - bytes);
    } else if (tag == Object::kArray || tag == Object::kString) {
      const bool is_array = tag == Object::kArray;
      begin += (is_array ? 2U : 3U) * width_;
      if (rest.size() < begin) break;
      const Ref count = word(rest, kObjectHeader);
      const std::size_t room = (rest.size() - begin) / (is_array ? width_ : 1U);
      if (count > room || (!is_array && count == 0)) break;
      object.count = is_array ? count : count - 1;
      bytes = is_array ? object.count * width_ : object.count;
    } else if (tag == Object::kBigNat) {
      const std::size_t limbs_at = begin + 8U + width_;
      if (rest.size() < limbs_at) break;
      const std::size_t limbs = load(rest, begin + 4, 4);
      const bool is_natural = width_ == 8 ? limbs >> 31U == 0 : byte(rest, begin) == 0;
      if (!is_natural || limbs > (rest.size() - limbs_at) / width_ || word(rest, begin + 8) != ref + limbs_at)
        break;
      begin = limbs_at;
      object.count = bytes = limbs * width_;
    }
    object.tag = tag;
    object.data = rest.substr(begin, bytes);
    return object;
  }
  damaged("an object does not fit", ref);
  return {};
}

Object Region::constructor(Ref ref) {
  Object found = object(ref);
  if (found.tag <= kLastConstructor) return found;
  damaged("a constructor is missing", ref);
  return {};
}

Object Region::array(Ref ref) {
  Object found = object(ref);
  if (found.tag == Object::kArray) return found;
  damaged("an array is missing", ref);
  return {};
}

std::string_view Region::string(Ref ref) {
  const Object found = object(ref);
  if (found.tag == Object::kString) return found.data;
  damaged("a string is missing", ref);
  return {};
}

Ref Region::field(const Object& object, std::size_t i) {
  const bool has_fields = object.tag <= kLastConstructor || object.tag == Object::kArray;
  if (i < object.count && has_fields) return word(object.data, i * width_);
  damaged("a field is missing", 0);
  return kBoxedZero;
}

}  // namespace leanbridge::olean
