#pragma once
/// Whether an edit of a file changes what the file states. Words alone decide only the clear cases. In all
/// others Lean processes both texts, and the results are compared.

#include "core/olean/type_changes.hpp"
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

/// An objection that follows from the words alone, as a sentence; "": there is none, or only Lean can tell.
std::string objection_of_words(const FileEdit& edit);

/// Why the edit needs confirmation, as a sentence that names each declaration with both types; "": every
/// declaration is still there and states the same. `trial` is the elaborated new text, if there is one:
/// Lean's outline of it answers most questions about an edit of proofs alone. It is an objection if Lean
/// cannot be asked. A text that does not compile is tried in scratch documents, and the trial's own is
/// released for that. The only errors are Cancelled and those of Lean's server.
asio::awaitable<Result<std::string>> statement_objection(Lean& lean, std::shared_ptr<io::Operation> call,
                                                         FileEdit edit, HeldTrial* trial,
                                                         io::CancelScope scope);

}  // namespace leanbridge::ide
