#pragma once
/// Several agents on one project as a part of the program: claims of declarations.

#include "leanbridge/part.hpp"

namespace leanbridge::app {

struct TogetherOptions {
  bool no_record = false;  ///< --no-record
  bool log = false;        ///< todo --log
};

class TogetherPart : public Part {
 public:
  void add_options(CLI::App& app, Options& options) override;
  asio::awaitable<Result<std::vector<std::string>>> objections(const std::filesystem::path& root,
                                                               const std::string& commit,
                                                               const text::SourceChanges& changes,
                                                               io::CancelScope scope) override;
  std::unique_ptr<ClientPart> start_client(Runtime& runtime) override;

 private:
  std::uint64_t clients_ = 0;
};

}  // namespace leanbridge::app
