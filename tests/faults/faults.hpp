#pragma once
/// What can go wrong in a run, drawn once from its seed.

#include "random.hpp"

#include <string>

namespace leanbridge::faults {

/// Chances, in percent unless said otherwise, that something happens; times in milliseconds.
struct Faults {
  // Faults of a Lean that works: a call with enough time must get a right answer.
  int delay = 0;  ///< a message is held back, and with it the later ones about the same file
  int max_delay = 0;
  int split = 0;         ///< a message comes in pieces, one after another
  int early_null = 0;    ///< a request about a position that is not elaborated gets null at once
  int superseded = 0;    ///< a request overtaken by an edit is refused, or answered about the old text
  int slow_stdin = 0;    ///< after a read, Lean reads nothing for a while
  int slow_disk = 0;     ///< reading the disk takes long
  int small_pipes = 0;   ///< a process is started with small pipes
  int session_loss = 0;  ///< an RPC call finds its session lost

  // Faults of a Lean that does not.
  int drop = 0;          ///< a response or a progress report is lost
  int duplicate = 0;     ///< a message is sent twice, unless it has incremental diagnostics
  int refuse = 0;        ///< a request gets an internal error
  int worker_crash = 0;  ///< per mille, in each step of the elaboration
  int worker_hang = 0;   ///< per mille, in each step: no more answers about this file
  int doom = 0;          ///< something happens to the whole server that was started: Doom
  int bad_start = 0;     ///< a start fails: BadStart
  int bad_shape = 0;     ///< per mille, a pushed message does not have the documented form

  bool strict() const {
    return drop + duplicate + refuse + worker_crash + worker_hang + doom + bad_start + bad_shape == 0;
  }

  static Faults draw(Random& random);
  std::string describe() const;
};

enum class Doom { None, Exit, ExitInMessage, Garbage, CloseStdout, Silence, CutBody, BadLength, BadJson };
enum class BadStart { None, NotStarted, ExitsAtOnce, Garbage, RefusesInitialize, LateInitialize, NeverReady };

}  // namespace leanbridge::faults
