#pragma once
/// A project and a toolchain made of a few sources, and a lake that names them.

#include "search/index/build/builder.hpp"
#include "search/index/query/search.hpp"
#include "search/index/store/cache_files.hpp"
#include "support/test_folder.hpp"

#include <string>

namespace leanbridge::test {

/// A module of `count` theorems NAME_0, NAME_1, ... in its namespace.
inline std::string many_theorems(const std::string& space, int count) {
  std::string text = "namespace " + space + "\n";
  for (int i = 0; i < count; ++i)
    text += "/-- Fact " + std::to_string(i) + ". -/\ntheorem fact_" + std::to_string(i) +
            " (n : Nat) : n + 0 = n := rfl\n";
  return text + "end " + space + "\n";
}

class IndexFolders : public TestFolder {
 public:
  IndexFolders() {
    write("toolchain/lib/lean/nothing", "");
    write("toolchain/src/lean/Init/Nat.lean",
          "theorem Nat.add_comm (n m : Nat) : n + m = m + n := sorry\n"
          "theorem Nat.add_left_comm (n m k : Nat) : n + (m + k) = m + (n + k) := sorry\n"
          "/-- Elements of a list. -/\ndef List.length (l : List α) : Nat := sorry\n");
    write("project/lakefile.toml", "name = \"p\"\n");
    write("project/P.lean",
          "/-- Doubles a number. -/\ndef double (n : Nat) : Nat := n + n\n"
          "theorem P.double_pos (n : Nat) : 0 < double n := sorry\n");
    lake_ = write_program("lake", "#!/bin/sh\necho x >> " + (path() / "asked").string() +
                                      "\necho LEAN_SYSROOT=" + (path() / "toolchain").string() +
                                      "\necho LEAN_SRC_PATH=" + (path() / "project").string() +
                                      "\necho LEAN_PATH=\n");
  }
  std::filesystem::path project() const { return path() / "project"; }
  std::filesystem::path cache() const { return path() / "cache"; }
  std::string lake() const { return lake_.string(); }
  /// How often lake was asked.
  std::size_t asked() const { return content_of(path() / "asked").size() / 2; }

 private:
  std::filesystem::path lake_;
};

inline index::BuildJob job_for(const std::filesystem::path& folder, const std::filesystem::path& sources) {
  index::BuildJob job;
  job.folder = folder;
  job.stem = "test-v1";
  job.layout.sources = {sources};
  job.stop = std::make_shared<std::atomic<bool>>(false);
  return job;
}

inline std::size_t declarations_in(const std::filesystem::path& folder) {
  const auto store = index::open_to_read(folder, "test-v1", nullptr);
  return store ? store->declarations() : 0;
}

}  // namespace leanbridge::test
