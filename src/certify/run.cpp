#include "run.hpp"

#include "leanbridge/text/untrusted.hpp"
#include "leanbridge/text/utf8.hpp"

#include <utility>

namespace leanbridge::certify {

asio::awaitable<Result<RunResult>> run_program(const io::Spawn& spawn, io::ChildCommand command,
                                               std::size_t output_limit, io::CancelScope scope,
                                               std::string input) {
  io::ProgramRun run;
  run.command = std::move(command);
  run.input = std::move(input);
  run.max_output = output_limit;
  run.spawn = spawn;
  return io::run_to_end(std::move(run), scope);
}

std::string quotable(std::string_view printed) {
  constexpr std::size_t kMaxQuoted = 300;  // bytes
  const std::string line = text::cleaned_line(printed);
  return std::string(text::beginning_of(line, kMaxQuoted));
}

}  // namespace leanbridge::certify
