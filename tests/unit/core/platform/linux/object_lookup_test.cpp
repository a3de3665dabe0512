// The unwinder of the portable program finds the same tables as with glibc's own function.

#include "core/platform/linux/object_lookup.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <string>

using leanbridge::platform::find_object;

namespace {

int anything_here() {
  return 1;
}

}  // namespace

TEST_CASE("the object of an address is the one that glibc names") {
  const auto name = GENERATE(as<std::string>{}, "this program", "the C library", "its mathematical part");
  CAPTURE(name);
  void* address = reinterpret_cast<void*>(&anything_here);
  if (name == "the C library") address = ::dlsym(RTLD_DEFAULT, "gnu_get_libc_version");
  if (name == "its mathematical part") address = ::dlsym(RTLD_DEFAULT, "cbrt");
  REQUIRE(address != nullptr);
  dl_find_object theirs{}, ours{};
  REQUIRE(::_dl_find_object(address, &theirs) == 0);
  REQUIRE(find_object(address, &ours) == 0);
  CHECK(ours.dlfo_eh_frame == theirs.dlfo_eh_frame);
  CHECK(ours.dlfo_eh_frame != nullptr);
  CHECK(ours.dlfo_map_start <= address);
  CHECK(address < ours.dlfo_map_end);
}

TEST_CASE("an address in no object has none") {
  const auto byte = std::make_unique<char>();
  dl_find_object found{};
  CHECK(find_object(byte.get(), &found) == -1);
  CHECK(find_object(nullptr, &found) == -1);
  CHECK(found.dlfo_eh_frame == nullptr);
}
