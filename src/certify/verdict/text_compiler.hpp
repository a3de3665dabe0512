#pragma once
/// Compiles texts in untrusted child processes. Private to this module.

#include "compiled_text.hpp"
#include "inputs.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

/// Job and inputs must outlive it. Belongs to the loop's thread.
class TextCompiler {
 public:
  TextCompiler(const Job& job, const Inputs& inputs) : job_(job), inputs_(inputs) {}

  /// Compiles `source` as the module with the path `relative`. The results go to `folder`-source and
  /// `folder`-out, which must be new. `more_options` of Lean follow the request's. Errors concern our own
  /// files, not the text.
  asio::awaitable<Result<CompiledText>> compile(std::string source, std::filesystem::path relative,
                                                std::string folder,
                                                std::vector<std::string> more_options = {});

 private:
  /// Whether this Lean compiles a text that is not a `module` into three parts, too, as Lean for WebAssembly
  /// does. With other Leans, such parts come from a candidate that wants other files to be judged than the
  /// ones that are used.
  asio::awaitable<Result<bool>> compiles_all_in_parts();

  /// The state after the imports of the text, for a run with these options. Null: none. A snapshot has the
  /// modules of the toolchain and the packages, but none that was compiled for this verdict.
  asio::awaitable<lean::ImportSnapshots::Found> find_snapshot(std::string source, std::filesystem::path file,
                                                              std::vector<std::string> options);

  const Job& job_;
  const Inputs& inputs_;
  std::optional<bool> all_in_parts_;  // set once it was asked
};

}  // namespace leanbridge::certify
