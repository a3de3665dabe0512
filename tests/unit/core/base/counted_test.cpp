#include "core/base/counted.hpp"

#include <catch2/catch.hpp>

namespace leanbridge {

TEST_CASE("one is one, and all else are several", "[counted]") {
  CHECK(counted(0, "file") == "0 files");
  CHECK(counted(1, "file") == "1 file");
  CHECK(counted(2, "file") == "2 files");
  CHECK(counted(1, "entry is", "entries are") == "1 entry is");
  CHECK(counted(2, "entry is", "entries are") == "2 entries are");
}

}  // namespace leanbridge
