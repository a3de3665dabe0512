#pragma once
/// The commands for people. They return the exit code for main.

#include "core/base/error.hpp"
#include "core/program/options.hpp"
#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace leanbridge::app {

/// Checks everything that a session needs, and reports faults with advice. Returns 1 if a check fails.
int doctor(const Options& options);

/// Tests the assumptions of leanbridge about elan, Lake and Lean (docs/assumptions.md) on the toolchain of
/// this machine, in a temporary folder. Prints a line for each assumption, or JSON without names of this
/// machine. Returns 0 on success; 1 if one does not hold; 3 if one could not be tested; 130 when interrupted.
int doctor_probe(const Options& options);

/// Tries lean_fill's tactics at every sorry of the files, and prints a line for each, or JSON. Returns 0 on
/// success; 1 if one is left open, or for an error; 2 for wrong usage; 130 when interrupted.
int fill(const Options& options);

/// Prints the imports that the files do not need and the ones that they lack, or JSON, and writes the changes
/// if asked to. Returns 0 on success; 1 if one could be changed and was not, or for an error; 2 for wrong
/// usage; 3 if not every import could be tried; 130 when interrupted.
int imports(const Options& options);

/// Prints the activity of a server over HTTP: its clients, calls, documents and workers. Returns 0 on
/// success; 1 if it does not answer; 2 for wrong usage.
int status(const Options& options);

/// Adds the entry that starts this program to a host's configuration, or removes it, by the host's own
/// program or by editing its file. Shows the change, and asks unless --yes was given. Returns 0 on success; 1
/// if the configuration is not as it should be; 2 for wrong usage; 130 when interrupted.
int setup(const Options& options);

/// Shows a file with its goals and messages on a page for the user's browser, and prints the page's URL on
/// stderr. Returns 0 after a signal; 1 if there is no such file or port; 2 for wrong usage.
int view(const Options& options);

/// A tool, and the group that offers it.
struct ToolOfGroup {
  const char* group;
  const char* name;
};

/// The error of a file; "B.lean: as A.lean." if an earlier file has that fault, as all have that import one
/// broken module. `said`: the first file, by fault.
Error said_once(std::map<std::string, std::string>& said, const std::string& file, Error error);

/// Calls the tool for each file, also of folders, with these arguments besides the file, and prints each
/// answer: by `print`, or as JSON. Returns the largest status of an answer; an error's is kFailed.
int call_per_file(Options options, const ToolOfGroup& called, const std::vector<std::string>& named,
                  const nlohmann::json& given,
                  void (*print)(const std::string& file, const nlohmann::json& answer, bool is_named),
                  int (*status_of)(const nlohmann::json& answer));

}  // namespace leanbridge::app
