#pragma once
/// Sorries that Lean's messages do not report. For most files the warnings suffice. A file that contains a
/// silencer (text/silencers.hpp), imports one, or has one in its lakefile is compiled, and the compiled file
/// inspected.

#include "core/lean/imports.hpp"
#include "core/text/silencers.hpp"
#include "module_compiler.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace leanbridge::ide {

/// Knowledge about the sorries of a text beyond Lean's messages.
struct HiddenSorries {
  bool messages_suffice = true;
  std::string because;            ///< why the messages do not suffice: "Foo.lean:3 has set_option warn.sorry"
  std::string unknown;            ///< why `constants` is not known; empty: it is known, or not needed
  bool unchecked = false;         ///< unknown because the kernel may have been bypassed; `because` says how
  bool timed_out = false;         ///< unknown because time ran out
  bool may_hide_example = false;  ///< the file may have an example that its text does not show
  std::vector<olean::CompiledConstant> constants;  ///< the constants that use sorry
  std::string text;                                ///< the text that was inspected
  lean::ImportState read;                          ///< the other files that were read

  enum class Answer { No, Sorry, Unknown };
  /// Whether these lines contain a hidden sorry. Pass `named` = false for an example, which leaves nothing in
  /// the compiled file.
  Answer about(int first_line, int last_line, bool named) const;
  /// A sentence for agents: why about() returns Unknown.
  std::string why_unknown() const;
};

/// A sentence from SilencerWatch::Found::unchecked.
std::string unchecked_reason(const std::string& word);

/// Finds silencers in a project's files, and rereads only the files that have changed.
class SilencerWatch {
 public:
  explicit SilencerWatch(std::filesystem::path root) : root_(std::move(root)), imports_(root_) {}

  struct Found {
    std::optional<std::string> silencer;   ///< a word that may hide a sorry, as "FILE:LINE has WORD"
    std::optional<std::string> option;     ///< the same form: an option, not a program
    std::optional<std::string> answers;    ///< the same form: a word that could answer in Lean's place
    std::optional<std::string> unchecked;  ///< the same form: a word that may bypass the kernel
    /// A program that could keep the kernel from checking what the program makes, in the same form.
    std::optional<std::string> program;
    bool may_hide_example = false;     ///< a file may declare an example that its text does not show
    bool asks_lake = false;            ///< a lakefile may set options, other than silencers, of single files
    bool comments_count = false;       ///< text that looks like a comment may be code
    std::set<std::string> attributes;  ///< attributes that the imported files declare for lemmas
    lean::ImportState read;            ///< lake's files and all imported files of the project
    text::SilencerScan own;            ///< `source` itself; only may_hide_example above includes it
  };
  /// Looks in each lakefile.toml and in the project's files that `source` imports, directly or not.
  /// `folders`: where Lake says that sources are. Blocking.
  Found find(std::string_view source, std::vector<std::filesystem::path> folders = {});

 private:
  struct ScannedFile {
    lean::FileIdentity identity;
    text::SilencerScan found;
    bool asks_lake = false;  ///< for a lakefile
  };
  const ScannedFile& scan(const std::filesystem::path& file, const lean::FileIdentity& identity);

  std::filesystem::path root_;
  lean::ImportWatch imports_;
  std::map<std::filesystem::path, ScannedFile> scanned_;
};

/// Looks for silencers in a text, its imports and the lakefile.
asio::awaitable<Result<SilencerWatch::Found>> scan_sources(Lean& lean, TextOfFile of, io::CancelScope scope);

/// The first silencer in the text, its imports and the lakefile, as "FILE:LINE has WORD"; nullopt: none.
asio::awaitable<Result<std::optional<std::string>>> find_silencer(Lean& lean, TextOfFile of,
                                                                  io::CancelScope scope);

/// Looks for a silencer, and compiles the text if there is one. The only error is Cancelled.
asio::awaitable<Result<HiddenSorries>> hidden_sorries(Lean& lean, TextOfFile of, io::CancelScope scope);
/// Does the same for an open file. If it changes meanwhile, the result is unknown.
asio::awaitable<Result<HiddenSorries>> hidden_sorries(Lean& lean, const OpenFile& file,
                                                      io::CancelScope scope);
/// Compiles nothing, for an answer that is wanted at once: the result is unknown if this text has not been
/// compiled yet.
asio::awaitable<Result<HiddenSorries>> known_hidden_sorries(Lean& lean, const OpenFile& file,
                                                            io::CancelScope scope);

}  // namespace leanbridge::ide
