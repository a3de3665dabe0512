#pragma once
/// Sorries that Lean's messages do not tell of. In most files its warning is all there is to know; in one
/// that holds a silencer (text/silencers.hpp), or imports one, or whose lakefile sets one, the compiled file
/// is asked. Private to this module.

#include "leanbridge/lean/imports.hpp"
#include "leanbridge/text/silencers.hpp"

#include "module_compiler.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::tools {

/// What is known beyond the messages of one text.
struct HiddenSorries {
  bool messages_suffice = true;
  std::string because;     ///< why they do not: "Foo.lean:3 has set_option warn.sorry"
  std::string unknown;     ///< why what follows is not known; empty: it is, or nothing had to be looked at
  bool unchecked = false;  ///< it is not, since the kernel may not have checked: `because` says why
  bool timed_out = false;  ///< it is not known for want of time
  std::vector<index::CompiledConstant> constants;  ///< those that hold sorry
  std::string text;                                ///< what all this is about
  lean::ImportState read;                          ///< and what else was read for it

  enum class Answer { No, Sorry, Unknown };
  /// Of what stands in these lines. An example leaves nothing behind when it is compiled: `named` is false
  /// then.
  Answer about(int first_line, int last_line, bool named) const;
  /// As a sentence for agents, where `about` would say Unknown.
  std::string why_unknown() const;
};

/// As a sentence, of what find_unchecked() gives.
std::string unchecked_reason(const std::string& word);

/// What a look at the project's files has found, by file; the looks at one project know of each other.
class SilencerWatch {
 public:
  explicit SilencerWatch(std::filesystem::path root) : root_(std::move(root)), imports_(root_) {}

  struct Found {
    std::optional<std::string> silencer;   ///< "FILE:LINE has WORD"
    std::optional<std::string> option;     ///< the same, without the programs
    std::optional<std::string> unchecked;  ///< the same, of what may keep the kernel from checking
    lean::ImportState read;                ///< lake's files, and all of the project that is imported
  };
  /// In the lakefile, or in a file of the project that `source` imports, directly or not. Blocking.
  Found find(std::string_view source);

 private:
  struct Known {
    lean::FileIdentity identity;
    text::Silencers silencers;
  };
  const Known& look_at(const std::filesystem::path& file, const lean::FileIdentity& identity);

  std::filesystem::path root_;
  lean::ImportWatch imports_;
  std::map<std::filesystem::path, Known> known_;
};

/// A text, and the file of the project that it stands in for.
struct TextOfFile {
  std::shared_ptr<document::DocumentStore> project;
  std::filesystem::path path;
  std::string text;
  /// Programs that stand before this byte, and those of imports, are believed to leave messages alone: a
  /// tactic that is tried in a file with programs of its own would have to wait for the file to be compiled.
  std::size_t believed = 0;
};

/// The first silencer of the text, its imports and the lakefile, as "FILE:LINE has WORD"; nullopt: none.
asio::awaitable<Result<std::optional<std::string>>> find_silencer(Environment& environment, TextOfFile of,
                                                                  io::CancelScope scope);

/// Whether a file is without error as far as its messages tell, and what may keep some to itself.
struct Verdict {
  bool success = false;
  std::optional<std::string> silenced_by;

  static wire::Fields fields();
};
/// Looks for a silencer where the messages tell of success. nullopt: there was no time to look, so that it is
/// none.
asio::awaitable<Result<std::optional<Verdict>>> verdict_on(Environment& environment, bool success,
                                                           TextOfFile of, io::CancelScope scope);

/// The first word, as "FILE:LINE has WORD", by which the kernel may be kept from checking the text.
asio::awaitable<Result<std::optional<std::string>>> find_unchecked(Environment& environment, TextOfFile of,
                                                                   io::CancelScope scope);

/// Looks for one, and compiles where there is one. Only Cancelled is an error.
asio::awaitable<Result<HiddenSorries>> hidden_sorries(Environment& environment, TextOfFile of,
                                                      io::CancelScope scope);
/// The same of an open file as it is; where it changes meanwhile, nothing is known.
asio::awaitable<Result<HiddenSorries>> hidden_sorries(Environment& environment, const OpenFile& file,
                                                      io::CancelScope scope);

}  // namespace leanbridge::tools
