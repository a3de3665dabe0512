// Configuration files. Those that name other MCP servers can come with a project, from whoever wrote it. Each
// is read in both forms.

#include "search/sources/config.hpp"

#include "core/text/untrusted.hpp"
#include "fuzz.hpp"
#include "gateway/upstream/config.hpp"
#include "gateway/upstream/hub.hpp"
#include "gateway/upstream/transport/incoming.hpp"
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

namespace leanbridge::fuzz {
namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}
bool has_control(const std::string& text) {
  return std::any_of(text.begin(), text.end(), is_control);
}

constexpr const char* kSecret = "5ecret";

// The dictionary and the inputs refer to these variables, whose values can be anything.
std::optional<std::string> lookup(const std::string& name) {
  if (name == "HOME") return "/home/me";
  if (name == "TOKEN") return kSecret + std::string("\nwith a ${HOME}\x1B[31m");
  if (name == "ADDRESS") return "https://host/" + std::string(kSecret);
  if (name == "EMPTY") return "";
  return std::nullopt;
}

void check_name(const std::string& server, const std::string& tool) {
  const std::string name = upstream::offered_name(server, tool);
  const bool legal = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) || c == '_' || c == '-');
  });
  require(legal && !name.empty() && name.size() <= upstream::kMaxOfferedName,
          "a name is one that models take");
  require(name == upstream::offered_name(server, tool), "a name depends on its parts alone");
}

// Before consent, variables have no values.
void check_unexpanded(const std::string& text, const char* file) {
  const auto config = upstream::parse_config(text, file, upstream::Origin::Workspace, "/project", {});
  for (const upstream::ServerConfig& server : config.servers) {
    require(server.as_written && server.expansions.empty(), "an entry is read as it is written");
    if (const auto expanded = upstream::expand(server, "/project", &lookup))
      require(expanded->name == server.name && expanded->transport == server.transport &&
                  expanded->definition == server.definition,
              "an entry stays the one that was agreed to");
    else
      require(text::is_clean(expanded.error().describe()), "what is wrong with an entry hides nothing");
  }
}

void check_servers(const std::string& text, const char* file) {
  const auto config = upstream::parse_config(text, file, upstream::Origin::Workspace, "/project", &lookup);
  const int lines = 1 + static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  std::string last;
  for (const upstream::ServerConfig& server : config.servers) {
    require(!server.name.empty() && !has_control(server.name), "a server has a name that can be shown");
    require(last < server.name, "servers are by name, each once");
    require(server.line >= 1 && server.line <= lines, "a server is somewhere in the file");
    require(config.find(server.name) == &server, "a server is found by its name");
    const bool stdio = server.transport == upstream::TransportKind::Stdio;
    require(
        stdio ? !server.command.empty() && server.url.empty() : !server.url.empty() && server.command.empty(),
        "a server has a command or an address");
    require(server.timeout.count() > 0, "a server has some time");
    for (const auto& [name, value] : server.headers)
      require(!name.empty() && !has_control(name) && !has_control(value.reveal()), "a header is one line");
    check_name(server.name, server.tools.empty() ? server.command : server.tools.front());
    last = server.name;
  }
  for (const upstream::ConfigProblem& problem : config.problems) {
    require(problem.line >= 0 && problem.line <= lines + 1, "a problem is somewhere in the file");
    const std::string said = problem.describe();
    require(said.find('\n') == std::string::npos, "a problem is said on one line");
    require(!has_control(said), "a problem cannot act on a terminal");
    require(said.find(kSecret) == std::string::npos, "a problem does not tell what a variable holds");
  }
}

// The reader takes a path.
void check_search_config(std::string_view text) {
  static const int fd = ::memfd_create("config.toml", MFD_CLOEXEC);
  require(fd >= 0 && ::ftruncate(fd, 0) == 0 &&
              ::pwrite(fd, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()),
          "there is a file in memory");
  search::ConfigSources sources;
  sources.environment = &lookup;
  sources.file = "/proc/self/fd/" + std::to_string(fd);
  sources.file_required = true;
  const auto config = search::read_config(sources);
  if (!config) return require(!config.error().message.empty(), "an error says what is wrong");
  for (const search::Endpoint* service : {&config->leansearch, &config->loogle, &config->hammer})
    require(service->timeout.count() > 0, "a service has some time");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(text_of(data, size));
  check_servers(text, "/project/.mcp.json");
  check_servers(text, "/project/.leanbridge/mcp-servers.toml");
  check_unexpanded(text, "/project/.mcp.json");
  check_unexpanded(text, "/project/.leanbridge/mcp-servers.toml");
  check_search_config(text);

  (void)upstream::expand_variables(text, &lookup);
  const std::string shown = upstream::printable(text);
  require(text::is_clean(shown), "what is shown cannot act on a terminal");
  require(text::is_clean(text::escaped(text)), "what is escaped cannot, either");
  const std::string ending = upstream::last_lines(text);
  require(ending.size() <= 600 && std::count(ending.begin(), ending.end(), '\n') <= 3, "an ending is short");
  check_name(text.substr(0, size / 2), text.substr(size / 2));
  return 0;
}

}  // namespace leanbridge::fuzz
