#include "handshake.hpp"

#include "core/base/files.hpp"
#include "core/base/json.hpp"
#include "desk/desk_options.hpp"
#include "gateway/command/gateway_options.hpp"

#include <filesystem>
#include <system_error>

namespace leanbridge::app {

namespace fs = std::filesystem;

namespace {

// Both sides are one build of this program: a line that does not fit comes from another program.
template <class Line>
Result<Line> read_line(std::string_view line) {
  const nlohmann::json value = read_json(line);
  try {
    const auto& fields = wire::fields_of<Line>();
    bool fits = value.is_object();
    for (const wire::Field* field : wire::members_of(fields)) {
      const auto member = fits ? value.find(field->name) : value.end();
      if (!fits || member == value.end())
        fits = fits && !field->required;
      else
        fits = wire::has_type(*member, *field->type);
    }
    if (fits) return wire::read<Line>(value);
  } catch (const nlohmann::json::exception&) {  // such as a number that is too large
  }
  return fail(ErrorKind::InvalidArgument, "This is not the greeting of a leanbridge.");
}

}  // namespace

wire::Fields Greeting::fields() {
  return wire::fields<&Greeting::key, &Greeting::first_request, &Greeting::directory, &Greeting::project_root,
                      &Greeting::groups, &Greeting::disabled, &Greeting::named_tools,
                      &Greeting::no_caller_code, &Greeting::builds, &Greeting::prewarm_files,
                      &Greeting::timeout_s, &Greeting::max_output_chars, &Greeting::instructions,
                      &Greeting::descriptions, &Greeting::upstream, &Greeting::lazy_upstream,
                      &Greeting::save_media, &Greeting::watchable, &Greeting::environment>();
}

wire::Fields WatchGreeting::fields() {
  return wire::fields<&WatchGreeting::watch>();
}

wire::Fields Welcome::fields() {
  return wire::fields<&Welcome::refused>();
}

std::string to_line(const Greeting& greeting) {
  // Variables may contain any bytes; invalid UTF-8 is replaced.
  return wire::write(greeting).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string to_line(const WatchGreeting& greeting) {
  return wire::write(greeting).dump();
}

std::string to_line(const Welcome& welcome) {
  return wire::write(welcome).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<Greeting> read_greeting(std::string_view line) {
  return read_line<Greeting>(line);
}

Result<WatchGreeting> read_watch_greeting(std::string_view line) {
  return read_line<WatchGreeting>(line);
}

Result<Welcome> read_welcome(std::string_view line) {
  return read_line<Welcome>(line);
}

Greeting greeting_of(const Options& options) {
  Greeting greeting;
  std::error_code ignored;
  greeting.directory = fs::current_path(ignored).string();
  greeting.project_root = absolute_path(options.project_root).string();
  greeting.groups.assign(options.groups.begin(), options.groups.end());
  greeting.disabled.assign(options.disabled.begin(), options.disabled.end());
  greeting.named_tools.assign(options.named_tools.begin(), options.named_tools.end());
  greeting.no_caller_code = options.no_caller_code;
  greeting.builds = options.builds;
  greeting.prewarm_files = options.prewarm_files;
  greeting.timeout_s = options.timeout_s;
  greeting.max_output_chars = options.max_output_chars;
  greeting.instructions = options.instructions;
  greeting.descriptions = options.descriptions;
  greeting.upstream = options.of<UpstreamOptions>().names;
  greeting.lazy_upstream = options.of<UpstreamOptions>().lazy;
  greeting.save_media = absolute_path(options.of<UpstreamOptions>().save_media).string();
  greeting.watchable = options.of<SharedOptions>().watchable;
  return greeting;
}

Options options_of(const Greeting& greeting, Options server) {
  Options options = std::move(server);
  options.command = nullptr;
  options.directory = greeting.directory;
  options.project_root = greeting.project_root;
  options.groups = {greeting.groups.begin(), greeting.groups.end()};
  options.disabled = {greeting.disabled.begin(), greeting.disabled.end()};
  options.named_tools = {greeting.named_tools.begin(), greeting.named_tools.end()};
  options.no_caller_code = greeting.no_caller_code;
  options.builds = greeting.builds;
  options.prewarm_files = greeting.prewarm_files;
  options.timeout_s = greeting.timeout_s;
  options.max_output_chars = greeting.max_output_chars;
  options.instructions = greeting.instructions;
  options.descriptions = greeting.descriptions;
  options.of<UpstreamOptions>().names = greeting.upstream;
  options.of<UpstreamOptions>().lazy = greeting.lazy_upstream;
  options.of<UpstreamOptions>().save_media = greeting.save_media;
  options.of<SharedOptions>().watchable = greeting.watchable;
  options.environment = greeting.environment;
  options.first_request = greeting.first_request;
  options.without_effect.clear();
  return options;
}

}  // namespace leanbridge::app
