#include "compiled_text.hpp"

#include "core/base/files.hpp"
#include "core/base/try.hpp"
#include "core/lean/build_output.hpp"
#include "core/text/lean_names.hpp"
#include "image.hpp"
#include "module_parts.hpp"
#include "run.hpp"
#include "sources.hpp"
#include <fcntl.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <utility>

namespace leanbridge::certify {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxCompiled = std::size_t{512} << 20U;  // bytes

}  // namespace

std::string first_error_in(const std::string& printed) {
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);) {
    const auto message = lean::read_compiler_message(line);
    if (message && message->severity == lean::Severity::Error)
      return "line " + std::to_string(message->start.line) + ": " + quotable(message->message);
  }
  return {};
}

Result<void> write_parts(const fs::path& folder, const fs::path& name,
                         const std::vector<std::string>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    TRY_DONE(write_new_file(part_of(folder / name, kModuleParts[i]), parts[i]));
  }
  return {};
}

Result<void> copy_modules(const fs::path& from, const fs::path& to, const std::vector<std::string>& modules) {
  for (const std::string& module : modules) {
    const fs::path name = text::path_of_module(module).value_or(module);
    for (const std::string_view extension : kModuleParts) {
      const fs::path part = part_of(name, extension);
      const auto file = RegularFile::open(from / part, RegularFile::Links::Refuse);
      if (!file && file.error().kind == FileProblem::Kind::Missing) continue;
      const auto bytes =
          file ? file->read(kMaxCompiled) : FileResult<std::string>(tl::unexpected(file.error()));
      if (!bytes) return tl::unexpected(bytes.error().to_error((from / part).string()));
      TRY_DONE(write_new_file(to / part, *bytes));
    }
  }
  return {};
}

Result<std::vector<std::string>> read_parts(const fs::path& folder, const std::string& name, bool is_module) {
  std::vector<std::string> parts;
  for (const std::string_view extension : kModuleParts) {
    if (!parts.empty() && !is_module) break;
    const std::string part = name + std::string(extension);
    const fs::path path = folder / part;
    const auto file = RegularFile::open(path, RegularFile::Links::Refuse);
    if (!file && !parts.empty() && file.error().kind == FileProblem::Kind::Missing) break;
    if (!file) return tl::unexpected(file.error().to_error(part));
    auto bytes = file->read(kMaxCompiled);
    if (!bytes) return tl::unexpected(bytes.error().to_error(part));
    parts.push_back(std::move(*bytes));
  }
  if (parts.size() == 2) return fail(ErrorKind::Internal, "The compiled module has two of its three parts.");
  return parts;
}

Result<SharedSet> open_set(std::vector<std::string> parts, const std::vector<fs::path>& search_path,
                           SharedImports known) {
  const std::vector<std::string_view> bytes(parts.begin(), parts.end());
  TRY_DONE(check_image(bytes));
  TRY(auto set,
      olean::ModuleSet::open(olean::ModuleBytes(std::move(parts)), {}, search_path, std::move(known)));
  return SharedSet(std::move(set));
}

}  // namespace leanbridge::certify
