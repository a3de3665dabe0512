#pragma once
/// The questions of `ide` against a scripted Lean, in a project in a temporary folder.

#include "core/document/projects.hpp"
#include "core/document/store_fixture.hpp"
#include "core/document/workspace.hpp"
#include "core/ide/open_file.hpp"
#include "support/scripted_lean.hpp"

namespace leanbridge::ide::test {

using namespace document::test;
using leanbridge::test::ScriptedLean;

struct IdeFixture : StoreFixture {
  IdeFixture() {
    lake.on_message = [this](FakeServer& server, const json& message) { scripted.receive(server, message); };
  }
  IdeFixture(const IdeFixture&) = delete;
  IdeFixture& operator=(const IdeFixture&) = delete;
  ~IdeFixture() {
    // Of the projects that the workspace opens, beside the fixture's own.
    for (const auto& [root, opened] : workspace.projects()) opened->server().kill();
    lake.on_message = FakeLake::well_behaved;
  }

  /// Writes a file and opens it.
  OpenFile open(std::string_view name, std::string_view content) {
    write(name, content);
    return {store, sync(name)};
  }
  /// As a tool has it, with what it reports of its progress.
  std::shared_ptr<io::Operation> operation(io::CancelScope scope = patient()) {
    return std::make_shared<io::Operation>(io::Operation{std::move(scope), {}});
  }

  ScriptedLean scripted;
  document::Projects projects{loop.context, pool};
  document::Workspace workspace{
      projects, {.root = project.path(), .directory = project.path(), .lake = lake.program()}};
  Lean environment{workspace, pool};
};

}  // namespace leanbridge::ide::test
