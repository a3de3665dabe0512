// Finding a corpus and reading its files: nothing outside of it, whatever an id or a link says.

#include "leanbridge/base/files.hpp"

#include "leanbridge/corpus/paper.hpp"
#include "leanbridge/text/utf8.hpp"

#include <algorithm>

namespace leanbridge::corpus {

namespace fs = std::filesystem;

namespace {

bool is_within(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

// Of the file that is open, so that no link can change between the look and the reading.
fs::path real_path_of(int fd) {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/fd/" + std::to_string(fd), error);
  return error ? fs::path() : path;
}

std::optional<std::string> read_file(const fs::path& corpus, const fs::path& folder, const char* name,
                                     Paper& paper) {
  const auto problem = [&](ProblemKind kind, std::string message) {
    paper.problems.push_back({kind, name, std::move(message)});
    return std::nullopt;
  };
  const auto describe = [&](const FileProblem& found) {
    using Kind = FileProblem::Kind;
    if (found.kind == Kind::Missing) return problem(ProblemKind::Missing, "There is no such file.");
    if (found.kind == Kind::Directory || found.kind == Kind::Special)
      return problem(ProblemKind::Unreadable, "It is not a regular file.");
    if (found.kind == Kind::TooLarge)
      return problem(ProblemKind::TooLarge,
                     "It is larger than " + std::to_string(kMaxFileBytes >> 20) + " MiB.");
    return problem(ProblemKind::Unreadable, "It cannot be read: " + found.why + ".");
  };
  const auto file = RegularFile::open(folder / name);
  if (!file) return describe(file.error());
  if (!is_within(real_path_of(file->descriptor()), corpus))
    return problem(ProblemKind::OutsideCorpus, "It is a link that leads out of the corpus.");
  auto content = file->read(kMaxFileBytes);
  if (!content) return describe(content.error());
  return std::move(*content);
}

}  // namespace

std::optional<fs::path> find_corpus(fs::path start) {
  std::error_code ignored;
  for (fs::path folder = std::move(start);; folder = folder.parent_path()) {
    if (fs::is_directory(folder / "corpus" / "papers", ignored) &&
        fs::is_regular_file(folder / "corpus" / "index.json", ignored))
      return folder;
    if (!folder.has_relative_path()) return std::nullopt;
  }
}

Result<void> check_paper_id(const std::string& id) {
  constexpr std::size_t kMaxName = 255;  // bytes: NAME_MAX of Linux
  const bool has_control = std::any_of(id.begin(), id.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '/' || c == '\\';
  });
  if (id.empty() || id == "." || id == ".." || id.size() > kMaxName || has_control ||
      text::first_invalid_byte(id))
    return fail(ErrorKind::InvalidArgument, "paper_id is not the name of a folder in corpus/papers.",
                "Pass an id of corpus/index.json, like langmuir_1918_adsorption.");
  return {};
}

Result<Paper> read_paper(const fs::path& root, const std::string& id) {
  if (auto valid = check_paper_id(id); !valid) return tl::unexpected(valid.error());
  Paper paper;
  paper.id = id;
  std::error_code error;
  const fs::path corpus = fs::canonical(root / "corpus", error);
  const fs::path folder = error ? fs::path() : fs::canonical(corpus / "papers" / id, error);
  if (error || !fs::is_directory(folder, error) || !is_within(folder, corpus)) return paper;
  paper.found = true;
  if (const auto bytes = read_file(corpus, folder, "manifest.json", paper)) read_manifest(*bytes, paper);
  if (const auto bytes = read_file(corpus, folder, "theorem_cards.json", paper)) read_cards(*bytes, paper);
  return paper;
}

}  // namespace leanbridge::corpus
