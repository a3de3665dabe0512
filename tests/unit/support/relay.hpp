#pragma once
/// The child's half of FakeLake: a program that copies bytes between its three streams and a socket of the
/// test.

namespace leanbridge::test {

inline constexpr const char* kRelayCommand = "__relay";

/// What the test sends the child: one byte for the kind, four for the length (host order), then the content.
enum class RelayFrame : char {
  Stdout = 'O',
  Stderr = 'E',
  Exit = 'X',  ///< one byte: the exit code
};

/// Connects to the test's socket and forwards stdin to it. Returns the exit code for main.
int relay(const char* socket_path);

}  // namespace leanbridge::test
