#pragma once
/// What may go wrong in a run: drawn once from its seed.

#include "random.hpp"

#include <string>

namespace leanbridge::faults {

/// Chances in percent unless said otherwise; times in milliseconds.
struct Faults {
  // Of a Lean that is in order: a call that has the time for it must get a right answer.
  int delay = 0;  ///< of a message, which holds back the later ones about the same file
  int max_delay = 0;
  int split = 0;         ///< of a message: into pieces that come one by one
  int early_null = 0;    ///< of a question about a place that is not elaborated: no goal, at once
  int superseded = 0;    ///< of a question that an edit overtakes: refused, or answered about the old text
  int slow_stdin = 0;    ///< of each read: Lean reads no more for a while
  int slow_disk = 0;     ///< of each look at the disk
  int small_pipes = 0;   ///< of a start
  int session_loss = 0;  ///< of an RPC call: the session has gone

  // Of one that is not.
  int drop = 0;          ///< of a response or a progress report
  int duplicate = 0;     ///< of what may come twice: no incremental diagnostics
  int refuse = 0;        ///< of a request: Lean's internal error
  int worker_crash = 0;  ///< of a step of the elaboration, per mille
  int worker_hang = 0;   ///< of a step, per mille: this file gets no answer any more
  int doom = 0;          ///< of a start: something happens to the whole server; see Doom
  int bad_start = 0;     ///< of a start: see BadStart
  int bad_shape = 0;     ///< of a pushed message, per mille: not as documented

  bool strict() const {
    return drop + duplicate + refuse + worker_crash + worker_hang + doom + bad_start + bad_shape == 0;
  }

  static Faults draw(Random& random);
  std::string describe() const;
};

enum class Doom { None, Exit, ExitInMessage, Garbage, CloseStdout, Silence, CutBody, BadLength, BadJson };
enum class BadStart { None, NotStarted, ExitsAtOnce, Garbage, RefusesInitialize, LateInitialize, NeverReady };

}  // namespace leanbridge::faults
