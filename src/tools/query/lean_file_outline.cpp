// lean_file_outline: imports and declarations of a file, with their types.

#include "source_locations.hpp"
#include "tools/common/bounded_parallel.hpp"
#include "tools/common/symbols.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

const char* kind_of(const std::string& keyword) {
  if (keyword == "theorem" || keyword == "lemma") return "Thm";
  if (keyword == "namespace") return "Ns";
  if (keyword == "structure") return "Struct";
  if (keyword.starts_with("class")) return "Class";
  if (keyword == "example") return "Ex";
  if (keyword == "instance") return "Inst";
  if (keyword == "inductive" || keyword == "coinductive") return "Ind";
  if (keyword == "axiom") return "Axiom";
  return "Def";
}

asio::awaitable<void> ask_type(std::shared_ptr<document::DocumentStore> table,
                               std::shared_ptr<document::Document> document,
                               std::shared_ptr<std::vector<Symbol>> symbols, document::Version version,
                               std::shared_ptr<std::vector<std::string>> types, std::size_t index,
                               io::CancelScope scope) {
  const Symbol& symbol = (*symbols)[index];
  if (symbol.keyword == "namespace" || symbol.keyword == "example" || symbol.name.empty()) co_return;
  const std::size_t offset = symbol.name_at;
  const auto hover =
      co_await document::request_at(table, document, "textDocument/hover", offset, version, {}, scope);
  if (hover) (*types)[index] = split_signature(read_hover(hover->value).signature).type;
}

json entry_of(const text::Text& text, const Symbol& symbol, const std::string& type) {
  return {{"name", symbol.name},
          {"kind", kind_of(symbol.keyword)},
          {"start_line", text.position_at(symbol.start).line},
          {"end_line", text.position_at(symbol.end).line},
          {"type_signature", type.empty() ? json() : json(type)},
          {"children", json::array()}};
}

// Takes what lies inside `symbols[at]`, recursively; the sizes are those of a file, so the depth is of its
// namespaces.
json nested(const text::Text& text, const std::vector<Symbol>& symbols, const std::vector<std::string>& types,
            std::size_t& at, std::size_t end) {
  json list = json::array();
  while (at < symbols.size() && symbols[at].start < end) {
    const Symbol& symbol = symbols[at];
    json entry = entry_of(text, symbol, types[at]);
    ++at;
    entry["children"] = nested(text, symbols, types, at, symbol.end);
    list.push_back(std::move(entry));
  }
  return list;
}

Answer answer_file_outline(Environment& environment, std::shared_ptr<mcp::Call> call,
                           mcp::Arguments arguments) {
  const auto file = co_await open_file(environment, call, arguments);
  if (!file) co_return tl::unexpected(file.error());
  const auto outline = co_await outline_of(*file, call->scope);
  if (!outline) co_return tl::unexpected(outline.error());
  const bool complete = outline->symbols.is_array();

  const document::Version version = file->document().state.version();
  std::vector<Symbol> symbols = symbols_of(file->text(), outline->symbols);
  std::size_t total = 0, kept = 0;
  const std::size_t limit = static_cast<std::size_t>(arguments.integer("max_declarations", 500));
  for (const Symbol& symbol : symbols) {
    if (symbol.keyword != "namespace") ++total;
    if (total <= limit) ++kept;
  }
  symbols.resize(kept);
  auto types = std::make_shared<std::vector<std::string>>(symbols.size());
  auto named = std::make_shared<std::vector<Symbol>>(symbols);
  const auto work = [=, table = file->table, document = file->share(), scope = call->scope](std::size_t i) {
    return ask_type(table, document, named, version, types, i, scope);
  };
  if (complete) co_await for_each_at_once(symbols.size(), 8, work);
  if (file->document().state.version() != version) co_return overtaken(file->document().name);

  std::size_t at = 0;
  json result = {{"imports", file->document().disk.header.imports},
                 {"declarations", nested(file->text(), symbols, *types, at, file->text().size() + 1)},
                 {"total_declarations", total},
                 {"truncated", total > limit}};
  co_return finish(std::move(result), *file, !complete, outline->timed_out);
}

}  // namespace

mcp::Tool lean_file_outline(Environment& environment) {
  using mcp::Argument;
  using mcp::ArgumentType;
  mcp::Tool tool;
  tool.name = "lean_file_outline";
  tool.title = "Outline of a file";
  tool.group = "query";
  tool.description =
      "Imports and declarations of a file with their types and lines, without the proofs. Much shorter than "
      "the file: "
      "use it before reading.";
  tool.arguments = {
      file_argument(),
      Argument::optional_("max_declarations", ArgumentType::Integer, "Default 500").at_least(1)};
  answers(tool,
          {{"imports", schema::list(schema::string())},
           {"declarations", schema::list({})},
           {"total_declarations", schema::integer()},
           {"truncated", schema::boolean()}},
          {"imports", "declarations", "total_declarations", "truncated"});
  tool.handler = bind_handler(environment, answer_file_outline);
  return tool;
}

}  // namespace leanbridge::tools
