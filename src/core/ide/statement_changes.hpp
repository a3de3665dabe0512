#pragma once
/// Whether an edit of a file changes what the file states. Words decide only that it surely does not, or that
/// it surely does: wherever they leave a doubt, Lean has both texts, and what it makes of them is compared.

#include "core/olean/type_changes.hpp"
#include "module_compiler.hpp"
#include "scratch_elaboration.hpp"

#include <memory>
#include <string>
#include <vector>

namespace leanbridge::ide {

/// A file before and after an edit.
struct FileEdit {
  std::shared_ptr<document::DocumentStore> project;
  std::filesystem::path path;
  std::string before, after;
};

/// "change A.b from `…` to `…`, lose A.c": the first few.
std::string describe(const std::vector<olean::TypeChange>& changes);

/// What the words alone object to, as a sentence; "": nothing, or it takes Lean to say it.
std::string objection_of_words(const FileEdit& edit);

/// Why the edit must not be made unasked, as a sentence that names each declaration with both types; "":
/// every declaration is still there and states the same. `trial` is the elaborated new text, if there is one:
/// with Lean's outline of it a change of proofs alone needs no more questions. Where Lean cannot be asked,
/// that is an objection. A text that does not compile is tried in scratch documents, for which that of the
/// trial is given back. The only errors are Cancelled and those of Lean's server.
asio::awaitable<Result<std::string>> statement_objection(Environment& environment,
                                                         std::shared_ptr<io::Operation> call, FileEdit edit,
                                                         HeldTrial* trial, io::CancelScope scope);

}  // namespace leanbridge::ide
