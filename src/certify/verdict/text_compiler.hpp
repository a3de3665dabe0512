#pragma once
/// Compiles texts in untrusted children. Private to this module.

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

  /// Compiles `source` as the module with the path `relative`. What comes of it goes to `folder`-source and
  /// `folder`-out, which must be new. `more_options` of Lean come behind the request's. Errors are about
  /// files of ours, not about the text.
  asio::awaitable<Result<CompiledText>> compile(std::string source, std::filesystem::path relative,
                                                std::string folder,
                                                std::vector<std::string> more_options = {});

 private:
  /// Whether this Lean compiles a text that is no `module` into three parts, too, as the one for WebAssembly
  /// does. Elsewhere such parts are left by a candidate that hopes to have others judged than are used.
  asio::awaitable<Result<bool>> compiles_all_in_parts();

  /// The state after the imports of the text, for which the options are those of the run. Null: none. In a
  /// snapshot are the toolchain's and the packages' modules, none that was compiled for this verdict.
  asio::awaitable<lean::ImportSnapshots::Found> find_snapshot(std::string source, std::filesystem::path file,
                                                              std::vector<std::string> options);

  const Job& job_;
  const Inputs& inputs_;
  std::optional<bool> all_in_parts_;  // once it was asked
};

}  // namespace leanbridge::certify
