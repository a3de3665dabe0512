#pragma once
/// The child's half of FakeLake: a program that carries bytes between its three streams and a socket of the
/// test.

namespace leanbridge::test {

inline constexpr const char* kRelayCommand = "__relay";

/// What the test may tell the child: a byte of kind, four of length (host order), then the content.
enum class RelayFrame : char {
  Stdout = 'O',
  Stderr = 'E',
  Exit = 'X',  ///< one byte: the exit code
};

/// Connects to the test's socket; what comes on stdin goes there. The exit code for main.
int relay(const char* socket_path);

}  // namespace leanbridge::test
