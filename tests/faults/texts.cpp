#include "texts.hpp"

#include "model_text.hpp"

namespace leanbridge::faults {

namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) text += (i == 0 ? "" : "\n") + lines[i];
  return text;
}

}  // namespace

std::string Texts::tactic() {
  std::string line = "  " + word("tac_");
  if (random_.percent(12)) line += " 𝓝é";
  if (random_.percent(8)) line += " sorry";
  if (random_.percent(12)) line += " -- error: " + word("e");
  if (random_.percent(6)) line += " -- warning: " + word("w");
  if (random_.percent(6)) line += " -- info: " + word("i");
  if (random_.percent(15)) line += " -- done";
  if (harmless_) return line;
  if (random_.percent(6)) line += " -- slow " + std::to_string(random_.between(20, 1500));
  if (crashes_ && random_.percent(1)) line += " -- crash";
  return line;
}

std::string Texts::theorem() {
  const std::string name = word("t");
  std::string text = "theorem " + name + " : P := by\n";
  for (int i = random_.between(1, 6); i > 0; --i) text += tactic() + "\n";
  if (random_.percent(70)) text += "\n";
  return text;
}

std::string Texts::file() {
  std::string text;
  if (random_.percent(50)) text = random_.percent(96) ? "import Base\n\n" : "import Missing\n\n";
  // Occasionally one that does not fit into a pipe.
  const int theorems = random_.percent(3) ? random_.between(100, 300) : random_.between(1, 8);
  for (int i = 0; i < theorems; ++i) text += theorem();
  return text;
}

std::string Texts::harmless_file() {
  harmless_ = true;
  std::string text = random_.percent(50) ? "import Base\n\n" : "";
  for (int i = 0; i < 4; ++i) text += theorem();
  harmless_ = false;
  return text;
}

std::string Texts::module(bool may_be_broken) {
  const char* mark = may_be_broken && random_.percent(15) ? " -- broken" : "";
  return "def " + word("base") + " := 1" + mark + "\n";
}

std::string Texts::snippet() {
  std::string text = tactic().substr(2);
  if (random_.percent(20)) text += "\n" + tactic().substr(2);
  return text;
}

std::string Texts::edited(const std::string& text) {
  if (random_.percent(3)) return file();
  std::vector<std::string> lines = split_lines(text);
  const auto place = [&](std::size_t beyond) {
    return static_cast<std::ptrdiff_t>(random_.below(lines.size() + beyond));
  };
  for (int edits = random_.percent(75) ? 1 : random_.between(2, 4); edits > 0; --edits) {
    switch (random_.below(7)) {
      case 0:
      case 1:
        lines[static_cast<std::size_t>(place(0))] = tactic();
        break;
      case 2:
      case 3:
        lines.insert(lines.begin() + place(1), tactic());
        break;
      case 4:
        if (lines.size() > 2) lines.erase(lines.begin() + place(0));
        break;
      case 5:
        lines.insert(lines.begin() + place(1), "");
        break;
      default:
        if (random_.percent(30) && lines[0].starts_with("import "))
          lines.erase(lines.begin());
        else if (random_.percent(30))
          lines.insert(lines.begin(), "import Base");
        else
          return joined(lines) + "\n" + theorem();
    }
  }
  return joined(lines);
}

}  // namespace leanbridge::faults
