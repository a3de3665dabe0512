// lean_write_proof: replaces lines, or the proofs of declarations, if Lean accepts the resulting file.

#include "core/ide/proof_writing.hpp"
#include "core/tools/common/typed_tool.hpp"

#include <map>

namespace leanbridge::tools {

namespace {

constexpr std::size_t kMaxEdits = 64;

struct WriteToolParams {
  FileParams file;
  GivenEdit one;
  std::optional<std::vector<std::map<std::string, nlohmann::json>>> edits;
  bool each = false;
  bool allow_sorry = false;
  bool allow_statement_change = false;

  static wire::Fields fields() {
    return {wire::flatten<&WriteToolParams::file>(),
            wire::flatten<&WriteToolParams::one>(),
            wire::field<&WriteToolParams::edits>("Several such, instead: all or none"),
            wire::field<&WriteToolParams::each>("Of edits: any that Lean accepts").with_default(),
            wire::field<&WriteToolParams::allow_sorry>().with_default(),
            wire::field<&WriteToolParams::allow_statement_change>().with_default()};
  }
};

tl::unexpected<Error> wrong_edit(const std::string& what) {
  return fail(ErrorKind::InvalidArgument, what,
              "An edit is start_line, end_line and new_text, with expected if others write here, too; or "
              "declaration and new_text.");
}

Result<void> check_edit(const GivenEdit& edit, const std::string& place) {
  if (!edit.new_text) return wrong_edit(place + "new_text is missing.");
  if (edit.declaration && (edit.start_line || edit.end_line || edit.expected))
    return wrong_edit(place + "declaration is instead of lines and expected.");
  if (edit.declaration || (edit.start_line && edit.end_line)) return {};
  return wrong_edit(place + (edit.start_line ? "end_line" : "start_line") + " is missing.");
}

// A member of an item of `edits`, whose type nobody has checked.
Result<void> read_member(GivenEdit& edit, const std::string& name, const nlohmann::json& value,
                         const std::string& place) {
  const auto number = [&](std::optional<int>& into, int least) -> Result<void> {
    if (!value.is_number_integer() || value < least || value > 100'000'000)
      return wrong_edit(place + name + " must be a line number.");
    into = value.get<int>();
    return {};
  };
  const auto text = [&](std::optional<std::string>& into) -> Result<void> {
    if (!value.is_string()) return wrong_edit(place + name + " must be a text.");
    into = value.get<std::string>();
    return {};
  };
  if (name == "start_line") return number(edit.start_line, 1);
  if (name == "end_line") return number(edit.end_line, 0);
  if (name == "declaration") return text(edit.declaration);
  if (name == "new_text") return text(edit.new_text);
  if (name == "expected") return text(edit.expected);
  return wrong_edit(place + "there is no member '" + name + "'.");
}

Result<std::vector<GivenEdit>> edits_of(const WriteToolParams& params) {
  const GivenEdit& one = params.one;
  if (!params.edits) {
    TRY_DONE(check_edit(one, ""));
    return std::vector{one};
  }
  if (one.start_line || one.end_line || one.declaration || one.new_text || one.expected)
    return wrong_edit("edits is instead of a single edit.");
  if (params.edits->empty() || params.edits->size() > kMaxEdits)
    return wrong_edit("edits has " + std::to_string(params.edits->size()) + " entries; 1 to " +
                      std::to_string(kMaxEdits) + " are possible.");
  std::vector<GivenEdit> edits;
  for (std::size_t i = 0; i < params.edits->size(); ++i) {
    const std::string place = "edits[" + std::to_string(i) + "]: ";
    GivenEdit edit;
    for (const auto& [name, value] : (*params.edits)[i]) TRY_DONE(read_member(edit, name, value, place));
    TRY_DONE(check_edit(edit, place));
    edits.push_back(std::move(edit));
  }
  return edits;
}

asio::awaitable<Result<WrittenEdits>> write_given(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                  WriteToolParams params) {
  CO_TRY(std::vector<GivenEdit> given, edits_of(params));
  WriteProofParams how{params.file.file_path, {}, params.allow_sorry, params.allow_statement_change};
  how.all_goals = call->detail == wire::Detail::Full;
  EditWriting writing(environment, call, std::move(how));
  if (params.each && params.edits) co_return co_await writing.write_each(std::move(given));
  CO_TRY(auto result, co_await writing.write_all(std::move(given)));
  if (!params.edits) result.edits.reset();
  co_return result;
}

}  // namespace

mcp::Tool lean_write_proof(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_write_proof",
       .title = "Write a checked change",
       .group = "proof",
       .description = "Replaces lines or a declaration's proof if Lean accepts the whole file without a new "
                      "error or sorry, and no statement is lost or changed. Returns the place of the new "
                      "lines and the goals of sorries left; else writes nothing and says why.",
       .annotations = {.read_only = false, .destructive = true, .idempotent = false, .open_world = false},
       .caller_code = true},
      write_given);
}

}  // namespace leanbridge::tools
