#pragma once
/// A small Lean: the watchdog and its workers, over LSP. ModelText decides what it says, chance decides when.
/// It also checks what it reads: input that would end the real watchdog, or make its text differ from what
/// the bridge believes it to be, fails the run.

#include "faults.hpp"
#include "model_text.hpp"
#include "schedule.hpp"
#include "trace.hpp"
#include "wire.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace leanbridge::faults {

class ModelLean {
 public:
  struct Surroundings {
    asio::io_context& context;
    const Faults& faults;
    Trace& trace;
    ReadModule read;
    std::function<void(int code)> exit;
  };

  ModelLean(Surroundings around, Random random, Wire& wire, BadStart start);

  void receive(const nlohmann::json& message);
  /// The files that it has open.
  std::vector<std::string> open_files() const;
  /// Stops causing faults; files that hang keep hanging.
  void heal() { healed_ = true; }

 private:
  struct Document {
    std::string uri;
    std::int64_t version = 0;
    std::shared_ptr<const ModelText> text;
    int up_to = 0;                        ///< lines before it are elaborated
    std::size_t published = 0;            ///< of the messages of this version
    bool told = false;                    ///< some messages of this version have been published
    std::int64_t done = -1;               ///< newest version that is all reported
    std::vector<nlohmann::json> waiting;  ///< for something to be elaborated
    std::vector<nlohmann::json> queued;   ///< for a worker that has crashed: until the next change
    bool crashed = false;
    bool hung = false;
    bool reports_increments = true;
    std::string session;
    std::uint64_t life = 0;  ///< counts texts and crashes: a step of another life does nothing
  };
  using DocumentPtr = std::shared_ptr<Document>;

  bool check(const nlohmann::json& message);
  void violation(const std::string& what);
  void initialize(const nlohmann::json& request);
  void open(const nlohmann::json& params);
  void change(const nlohmann::json& params);
  void close(const nlohmann::json& params);
  void cancel(const nlohmann::json& params);
  void request(const nlohmann::json& message);

  void begin(const DocumentPtr& document, int from);
  void step(const DocumentPtr& document, std::uint64_t life);
  void finish(const DocumentPtr& document);
  void crash(const DocumentPtr& document);
  void overtaken(const DocumentPtr& document, const std::shared_ptr<const ModelText>& old);
  void wake(const DocumentPtr& document);
  bool ready(const Document& document, const nlohmann::json& request) const;
  void answer(const DocumentPtr& document, const ModelText& text, const nlohmann::json& request);
  nlohmann::json answer_about(Document& document, const ModelText& text, const nlohmann::json& request);
  void progress(const Document& document, int from, int kind = 1);
  void publish(Document& document, bool all);
  void reply(const std::string& lane, const nlohmann::json& id, nlohmann::json result);
  void refuse(const std::string& lane, const nlohmann::json& id, int code, const std::string& why);
  bool by_fault(int percent) { return !healed_ && random_.percent(percent); }
  bool by_fault_per_mille(int chance) {
    return !healed_ && random_.below(1000) < static_cast<std::size_t>(chance);
  }

  Surroundings around_;
  Random random_;
  Wire& wire_;
  BadStart start_;
  Schedule schedule_;
  std::map<std::string, DocumentPtr> documents_;
  enum class Phase { New, Initializing, Answered, Running, ShutDown } phase_ = Phase::New;
  bool healed_ = false;
};

}  // namespace leanbridge::faults
