#pragma once
/// This program and how it starts others, where systems differ. Each folder beside this header implements it
/// for one system.

#include <sys/types.h>

#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::platform {

/// Takes note of the first word of main's arguments: the one way to find this program on POSIX alone. Call it
/// before the folder or PATH may change, and before there are threads.
void remember_program(const char* word);

/// A path by which this program is started again and its file examined; on Linux even if another file has its
/// place by now. "" if it is not known. Any thread.
std::string this_program();

/// The path of this program's file; empty if it is not known. Any thread.
std::filesystem::path program_path();

/// This process's variables, each NAME=VALUE, with a null pointer at the end.
char** environment();

/// Keeps other programs of this user, such as the code of a project, from reading this process's variables
/// and memory, as far as the system can.
void hide_from_others();

/// Closes all descriptors from this number on.
void close_descriptors(int first);

/// The program that opens a URL in the user's browser; "" without a desktop.
std::string browser_opener();

/// Texts about what surrounds this process: its namespaces, if there are any, and its limits. Programs for
/// which they differ do not share a server.
std::string surroundings();

/// A program to be started, in a session of its own and with no signal blocked.
struct Start {
  /// A file that the program opens as one of its descriptors; a new one only its user may read.
  struct File {
    int number;
    std::string path;
    int flags;
  };

  std::string program;  ///< a path, or a name that is looked up on PATH
  std::vector<std::string> arguments;
  std::optional<std::vector<std::string>> variables = {};  ///< nullopt: those of this process
  std::filesystem::path directory = {};                    ///< empty: the one of this process
  std::vector<std::pair<int, int>> descriptors = {};       ///< ours, and their numbers in the program
  std::vector<File> files = {};                            ///< opened after that
  /// The signals that it does not ignore although this process may; nullopt: any.
  std::optional<std::vector<int>> default_signals = std::vector<int>();
};

/// Starts it without running code of ours between fork and exec. Returns its pid, or a negative errno.
pid_t start(const Start& wanted);

}  // namespace leanbridge::platform
