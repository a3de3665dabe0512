// leanbridge certify: the verdict of certify/certify.hpp for people and scripts.

#include "certify/verdict/certify.hpp"
#include "certify_options.hpp"
#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/base/try.hpp"
#include "core/base/utc_time.hpp"
#include "core/lean/project.hpp"
#include "core/program/options.hpp"
#include "core/program/output.hpp"
#include "one_run.hpp"
#include "requests.hpp"
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <utility>

namespace leanbridge::app {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr double kDefaultSeconds = 600;  // a replay can take minutes

/// The file appears whole or not at all.
Result<void> write_file(const std::string& file, const std::string& text) {
  const std::string partial = file + "." + std::to_string(::getpid()) + ".partial";
  bool is_ours = false;
  const auto failed = [&] {
    const std::string why = std::strerror(errno);
    if (is_ours) ::unlink(partial.c_str());
    return fail(ErrorKind::InvalidArgument, "Cannot write " + file + ": " + why + ".",
                "Pass a file in a folder that you can write to.");
  };
  {
    const Descriptor out(::open(partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    is_ours = static_cast<bool>(out);
    if (!out || !write_all(out.get(), text)) return failed();
  }
  if (std::rename(partial.c_str(), file.c_str()) != 0) return failed();
  return {};
}

Result<void> write_file(const std::string& file, const json& content) {
  return write_file(file, content.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

std::string joined_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// The text with each hash cut to its first digits. JSON, receipts and wider windows show them in full.
std::string with_short_hashes(const std::string& text) {
  constexpr std::size_t kShown = 16, kShort = 40;
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789abcdef", at), text.size());
    if (end - at > kShort)
      result += text.substr(at, kShown) + "…";
    else
      result += text.substr(at, end - at);
    if (end < text.size()) result += text[end];
    at = end + 1;
  }
  return result;
}

constexpr std::size_t kDetail = 14;  // the column where the texts begin

void print_detail(const char* title, const std::string& text) {
  if (text.empty()) return;
  const std::string start = "  " + fitted(title, kDetail - 2);
  const std::string line = one_line(text);
  const bool fits = !is_terminal(stdout) || cells_of(start) + cells_of(line) <= width_of(stdout);
  print_paragraph(stdout, fits ? line : with_short_hashes(line), start);
}

/// Prints the next step. On a terminal, a command is on a line of its own, unbroken, so that it can be
/// copied.
void print_steps(const std::string& text) {
  const char* title = "next";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line); title = "") {
    const std::size_t command = std::min(line.find(": leanbridge "), line.find(": elan "));
    if (!is_terminal(stdout) || command == std::string::npos) {
      print_detail(title, line);
      continue;
    }
    print_detail(title, line.substr(0, command + 1));
    const std::string to_copy = one_line(line.substr(command + 2));
    const bool fits = kDetail + cells_of(to_copy) <= width_of(stdout);
    std::printf("%*s%s\n", fits ? static_cast<int>(kDetail) : 4, "", to_copy.c_str());
  }
}

void print_names(const certify::Certificate& certificate) {
  for (const certify::NameVerdict& name : certificate.names) {
    std::printf("\n%s: %s\n", one_line(name.name).c_str(), wire::name_of(name.verdict));
    print_detail("statement", name.statement.value_or(""));
    if (name.disproof) print_detail("negation", "stated by " + *name.disproof);
    // For a single theorem, the verdict above has already given the reason.
    if (name.reason != certificate.reason) print_detail("why", name.reason);
    if (name.axioms) print_detail("axioms", name.axioms->empty() ? "none" : joined_words(*name.axioms));
  }
}

void print_holes(const std::vector<certify::PageItem>& holes) {
  if (!holes.empty()) std::printf("\nFilled in by the solution, and to be read:\n");
  for (const certify::PageItem& item : holes) {
    std::printf("  %s%s\n", one_line(certify::to_line(item)).c_str(),
                item.place.empty() ? "" : one_line("    -- " + item.place).c_str());
    for (const std::string& constructor : item.constructors)
      std::printf("    | %s\n", one_line(constructor).c_str());
  }
}

void print_judgements(const certify::Certificate& certificate) {
  if (const auto& approval = certificate.approval) {
    print_detail("approval", std::string(approval->holds ? "as approved by " : "not as approved by ") +
                                 approval->approved_by + " at " + approval->approved_at);
    for (const std::string& change : approval->changes) print_detail("", change);
    print_detail("", approval->note.value_or(""));
  }
  if (const auto& comparator = certificate.comparator)
    print_detail("comparator", std::string(wire::name_of(comparator->answer)) +
                                   (comparator->why ? ": it " + *comparator->why : "") +
                                   (comparator->says ? ": " + *comparator->says : ""));
  print_detail("checked by", joined_words(certificate.checked_by));
}

void print_kernels(const certify::Certificate& certificate) {
  const std::string kernel = certificate.kernel ? certificate.kernel->program : "";
  if (certificate.kernels.size() > 1 || (certificate.kernels.size() == 1 && !certificate.kernel)) {
    for (const certify::KernelResult& one : certificate.kernels)
      print_detail("kernel", one.name + ": " + wire::name_of(one.answer) + (one.why ? ", " + *one.why : "") +
                                 " (" + one.program + ", sha256 " + one.sha256 + ")");
    return;
  }
  print_detail("kernel", certificate.kernel_replayed
                             ? "replayed by " + kernel + ", sha256 " + certificate.kernel->sha256
                             : "not replayed" + (kernel.empty() ? "" : " (" + kernel + ")"));
}

/// Prints the files and programs by which the verdict was made.
void print_circumstances(const certify::Certificate& certificate) {
  if (const auto& exported = certificate.exported)
    print_detail("export", std::to_string(exported->declarations) + " declarations, format " +
                               exported->format + ", sha256 " + exported->sha256);
  print_detail("sandbox", std::string(wire::name_of(certificate.sandbox)) +
                              (certificate.sandbox_note ? " (" + *certificate.sandbox_note + ")" : ""));
  print_detail("Lean", certificate.toolchain.version + ", sha256 " + certificate.toolchain.sha256);
  print_detail("revision", certificate.revision.value_or(""));
  print_detail("challenge", "sha256 " + certificate.challenge_sha256);
  print_detail("solution", "sha256 " + certificate.solution_sha256);
  for (const certify::ModuleHash& module : certificate.modules)
    print_detail("module", module.module + " (" + wire::name_of(module.from) + "), sha256 " + module.sha256);
  for (const certify::PackageHash& package : certificate.packages)
    print_detail("package", package.package + (package.in_baseline ? " (baseline)" : " (as found)") +
                                ", sha256 " + package.sha256);
  for (const std::string& warning : certificate.toolchain.warnings) print_detail("warning", warning);
}

void print_certificate(const certify::Certificate& certificate) {
  print_paragraph(stdout,
                  std::string(wire::name_of(certificate.verdict)) + ": " + one_line(certificate.reason));
  print_names(certificate);
  print_holes(certificate.holes);
  std::printf("\n");
  print_judgements(certificate);
  print_kernels(certificate);
  print_circumstances(certificate);
  print_steps(certificate.complete_with.value_or(""));
}

int exit_code_of(certify::Outcome verdict) {
  switch (verdict) {
    case certify::Outcome::Certified:
      return 0;
    case certify::Outcome::Refused:
      return kFailed;
    case certify::Outcome::Refuted:
      return kRefuted;
    case certify::Outcome::Filled:
      return kFilled;
    case certify::Outcome::Incomplete:
      break;
  }
  return kUndecided;
}

/// Whether the command line names a text, a revision or a theorem to judge.
bool names_texts(const CertifyOptions& given) {
  return !given.files.empty() || given.challenge_revision || !given.names.empty();
}

/// Why these options exclude each other; "": they do not.
std::string conflict_in(const CertifyOptions& given) {
  const bool with_input = !given.input.empty(), with_receipt = !given.receipt.empty();
  const bool with_page = !given.page.empty(), with_cost = given.cost_limit.has_value();
  if (!given.verify.empty()) {
    const bool is_alone =
        !(names_texts(given) || with_input || with_receipt || with_page || !given.approve.empty());
    return is_alone ? "" : "With --verify, what is judged is in the receipt.";
  }
  const std::pair<bool, const char*> conflicts[] = {
      {given.also_comparator && (with_input || with_receipt || !given.allowed_axioms.empty()),
       "--also-comparator goes with one configuration, without --receipt and --allow-axiom."},
      {!given.cost_baseline.empty() && !with_cost, "--cost-baseline needs --cost PERCENT."},
      {!given.cost_baseline.empty() && !given.resume.empty(),
       "--cost-baseline compares all pairs, and --resume skips some."},
      {with_cost && !with_input,
       "--cost goes with --input. For a change in a project there is leanbridge diff --cost."},
      {!given.approve.empty() && given.approval.empty(), "--approve needs --approval FILE."},
      {!with_input && !(given.resume.empty() && given.jobs == 1), "--resume and --jobs need --input."},
      {with_input && !given.record_baseline.empty(), "--record-baseline judges nothing."},
      {with_input && with_receipt, "A receipt is about one pair."},
      {with_input && !given.export_file.empty(), "An export is about one pair."},
      {with_input && (with_page || !given.approval.empty()), "A page and its approval are about one pair."},
      {with_input && names_texts(given), "With --input, files, revisions and names are in its lines."},
      {with_input && !given.output.empty(), "With --input, the verdicts go to stdout."}};
  for (const auto& [is_so, what] : conflicts)
    if (is_so) return what;
  return "";
}

int record_baseline(const Options& options, double seconds) {
  const CertifyOptions& given = options.of<CertifyOptions>();
  if (!given.files.empty())
    return usage(Error(ErrorKind::InvalidArgument, "--record-baseline judges no file.",
                       "Leave out the files, or leave out --record-baseline."));
  const fs::path folder = absolute_path(options.project_root.empty() ? "." : options.project_root);
  const auto root = lean::find_project_root(folder.has_filename() ? folder : folder.parent_path());
  if (!root)
    return usage(Error(ErrorKind::NotALeanProject, "There is no Lean project around " + folder.string() + ".",
                       "Run it in a project, or pass --project-root."));
  OneRun<json> run(seconds);
  const auto baseline = run.run([&](io::Pool& pool, const io::CancelScope& scope) {
    return certify::record_baseline(*root, options.lake, io::ChildProcess::spawn, pool, scope);
  });
  if (run.interrupted()) return kInterrupted;
  if (!baseline) return report_undecided(baseline.error(), options.as_json);
  if (auto written = write_file(given.record_baseline, *baseline); !written)
    return report_undecided(written.error(), options.as_json);
  const std::size_t files = baseline->at("modules").size();
  if (options.as_json)
    print_json({{"file", given.record_baseline}, {"files", files}});
  else
    std::printf("Recorded %zu compiled files of the project and its packages, and the toolchain, in %s\n",
                files, given.record_baseline.c_str());
  return 0;
}

/// Writes the page, and an approval of it, if the command line asks for them.
Result<void> write_page(const CertifyOptions& given, const certify::Certificate& certificate, bool as_json) {
  if (!certificate.page) return {};
  const std::string text = certify::to_text(*certificate.page);
  if (given.page == "-") {
    if (!as_json) std::printf("%s\n", text.c_str());
  } else if (!given.page.empty()) {
    TRY_DONE(write_file(given.page, text));
  }
  if (given.approve.empty()) return {};
  constexpr std::size_t kMaxApproval = std::size_t{64} << 20U;  // bytes
  std::error_code ignored;
  if (fs::exists(given.approval, ignored)) {
    const auto there = read_regular_file(given.approval, kMaxApproval);
    if (!there || !certify::read_approval(*there, given.approval))
      return fail(ErrorKind::InvalidArgument, given.approval + " is there already, and is no approval.",
                  "Pass another file as --approval, or remove that one.");
  }
  return write_file(given.approval,
                    wire::write(certify::Approval{1, given.approve, utc_time(), *certificate.page}));
}

/// Writes the certificate, the receipt and the page, as far as the command line asks for them.
Result<void> write_records(const Options& options, const certify::Certificate& certificate,
                           std::optional<certify::ReceiptQuestion> question) {
  const CertifyOptions& given = options.of<CertifyOptions>();
  if (!given.output.empty()) TRY_DONE(write_file(given.output, certify::record_of(certificate)));
  if (question) {
    const auto receipt = certify::receipt_of(certificate, std::move(*question), LEANBRIDGE_VERSION);
    TRY_DONE(write_file(given.receipt, certify::to_json(receipt)));
  }
  return write_page(given, certificate, options.as_json);
}

/// Judges, and shows the steps meanwhile.
Result<certify::Certificate> judge(OneRun<certify::Certificate>& run, certify::Request request) {
  request.on_step = [&run](const std::string& step) { run.progress().show({0, 0, step}); };
  return run.run([&](io::Pool& pool, const io::CancelScope& scope) {
    return certify::certify(std::move(request), pool, scope);
  });
}

/// The result of judging a receipt's question again.
struct Verification {
  std::vector<std::string> differences;     ///< as sentences
  std::optional<certify::Outcome> verdict;  ///< absent if there is none
};

int report_verification(const Options& options, const Verification& verification) {
  const std::vector<std::string>& differences = verification.differences;
  if (options.as_json) {
    json answer = {{"receipt", options.of<CertifyOptions>().verify}, {"differences", differences}};
    if (verification.verdict) answer["verdict"] = wire::name_of(*verification.verdict);
    print_json(answer);
  } else {
    for (const std::string& difference : differences) std::printf("%s\n", one_line(difference).c_str());
    if (differences.empty())
      std::printf("Nothing differs: %s\n", wire::name_of(verification.verdict.value()));
  }
  return differences.empty() ? exit_code_of(verification.verdict.value()) : kFailed;
}

/// The parts of a verdict that are not repeated when nothing is compiled.
constexpr const char* kNotRepeated =
    "Not repeated: compilation, comparison of statements, walk of axioms, replay of modules.";

/// Lets kernels check the export of a receipt again. This command alone decides where to find Lean and the
/// kernels.
int verify_export(const Options& options, const certify::Receipt& receipt, double seconds) {
  OneRun<certify::StoredExport> run(seconds);
  certify::Request request = request_about_export(options);
  request.on_step = [&run](const std::string& step) { run.progress().show({0, 0, step}); };
  const auto checked = run.run([&](io::Pool& pool, const io::CancelScope& scope) {
    return certify::check_export(std::move(request), pool, scope);
  });
  if (run.interrupted()) return kInterrupted;
  if (!checked) return report_undecided(checked.error(), options.as_json);
  const std::vector<std::string> differences = certify::differences(receipt, *checked);
  if (options.as_json) {
    json kernels = json::array();
    for (const certify::KernelResult& kernel : checked->kernels) kernels.push_back(wire::write(kernel));
    print_json({{"receipt", options.of<CertifyOptions>().verify},
                {"export", options.of<CertifyOptions>().export_file},
                {"differences", differences},
                {"kernels", std::move(kernels)},
                {"not_repeated", kNotRepeated}});
  } else {
    for (const std::string& difference : differences) std::printf("%s\n", one_line(difference).c_str());
    for (const certify::KernelResult& kernel : checked->kernels)
      std::printf("%s: %s%s\n", kernel.name.c_str(), wire::name_of(kernel.answer),
                  one_line(kernel.why ? ", " + *kernel.why : "").c_str());
    if (differences.empty()) std::printf("Nothing differs in what was repeated. %s\n", kNotRepeated);
  }
  return differences.empty() ? kUndecided : kFailed;
}

int verify(const Options& options, double seconds) {
  const auto receipt = load_receipt(options.of<CertifyOptions>().verify);
  if (!receipt) return report_undecided(receipt.error(), options.as_json);
  if (!options.of<CertifyOptions>().export_file.empty()) return verify_export(options, *receipt, seconds);
  const Options asked = options_of(receipt->question, options);
  Verification verification;
  const auto not_repeated = [&](const Error& error) {
    verification.differences.push_back("It cannot be judged again: " + error.message);
    return report_verification(options, verification);
  };
  auto question = question_of(asked);
  if (!question) return not_repeated(question.error());
  auto request = request_of(asked);
  if (!request) return not_repeated(request.error());
  request->with_fingerprints = true;
  certify::Receipt now = *receipt;  // without a verdict, only the question and the texts are known
  now.question = *question;
  if (request->challenge) now.challenge_sha256 = sha256_of(*request->challenge);
  now.solution_sha256 = sha256_of(request->solution.value());
  OneRun<certify::Certificate> run(seconds);
  const auto certificate = judge(run, std::move(*request));
  if (run.interrupted()) return kInterrupted;
  if (!certificate) {
    verification.differences = certify::differences(*receipt, now);
    return not_repeated(certificate.error());
  }
  now = certify::receipt_of(*certificate, std::move(*question), receipt->leanbridge);
  verification.differences = certify::differences(*receipt, now);
  verification.verdict = certificate->verdict;
  return report_verification(options, verification);
}

}  // namespace

int certify(const Options& given) {
  const double seconds = given.timeout_given ? given.timeout_s : kDefaultSeconds;
  if (const std::string conflict = conflict_in(given.of<CertifyOptions>()); !conflict.empty())
    return report_undecided(Error(ErrorKind::InvalidArgument, conflict, "Run `leanbridge certify --help`."),
                            given.as_json);
  const auto configured = with_comparator(given);
  if (!configured) return report_undecided(configured.error(), given.as_json);
  const Options& options = *configured;
  const CertifyOptions& asked = options.of<CertifyOptions>();
  if (!asked.input.empty()) return certify_batch(options, seconds);
  if (!asked.record_baseline.empty()) return record_baseline(options, seconds);
  if (!asked.verify.empty()) return verify(options, seconds);
  auto request = request_of(options);
  if (!request) return report_undecided(request.error(), options.as_json);
  std::optional<certify::ReceiptQuestion> question;
  if (!asked.receipt.empty()) {
    auto told = question_of(options);
    if (!told) return report_undecided(told.error(), options.as_json);
    question = std::move(*told);
    request->with_fingerprints = true;
  }
  OneRun<certify::Certificate> run(seconds);
  const auto certificate = judge(run, std::move(*request));
  if (run.interrupted()) return kInterrupted;
  if (!certificate) return report_undecided(certificate.error(), options.as_json);
  if (auto written = write_records(options, *certificate, std::move(question)); !written)
    return report_undecided(written.error(), options.as_json);
  if (options.as_json)
    print_json(wire::write(*certificate));
  else
    print_certificate(*certificate);
  return exit_code_of(certificate->verdict);
}

}  // namespace leanbridge::app
