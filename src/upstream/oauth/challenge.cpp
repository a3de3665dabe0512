#include "challenge.hpp"

#include "leanbridge/base/ascii.hpp"
#include "leanbridge/http/client.hpp"

#include <algorithm>
#include <map>
#include <sstream>

namespace leanbridge::upstream {

namespace {

// One reading position in the header. Whatever is malformed ends the reading; what was read before stands.
class ChallengeReader {
 public:
  explicit ChallengeReader(const std::string& text) : text_(text) {}

  bool at_end() const { return at_ >= text_.size(); }
  char look() const { return at_end() ? '\0' : text_[at_]; }
  void blanks() {
    while (look() == ' ' || look() == '\t') ++at_;
  }
  void separators() {
    while (look() == ' ' || look() == '\t' || look() == ',') ++at_;
  }
  bool take(char c) {
    if (look() != c) return false;
    ++at_;
    return true;
  }
  std::string token() {
    std::string word;
    while (!at_end() && http::is_token_char(look())) word += text_[at_++];
    return word;
  }
  // A token, or a quoted string with its escapes.
  std::string value() {
    if (!take('"')) return token();
    std::string word;
    while (!at_end() && look() != '"') {
      if (look() == '\\' && at_ + 1 < text_.size()) ++at_;
      word += text_[at_++];
    }
    take('"');
    return word;
  }
  // The rest of a token68, as in `Negotiate YII/...==`: of no interest here. Always gets on.
  void skip_rest_of_word() {
    while (!at_end() && look() != ',' && look() != ' ') ++at_;
    if (!at_end()) ++at_;
  }

 private:
  const std::string& text_;
  std::size_t at_ = 0;
};

bool is_scope(const std::string& word) {
  return std::all_of(word.begin(), word.end(),
                     [](char c) { return c > 0x20 && c < 0x7F && c != '"' && c != '\\'; });
}

}  // namespace

Scopes split_scopes(const std::string& text) {
  std::istringstream words(text);
  Scopes scopes;
  for (std::string word; words >> word;)
    if (is_scope(word)) scopes.insert(word);
  return scopes;
}

std::string join_scopes(const Scopes& scopes) {
  std::string text;
  for (const std::string& scope : scopes) text += (text.empty() ? "" : " ") + scope;
  return text;
}

std::string challenges_of(const http::Response& answer) {
  std::string joined;
  for (const auto& [name, value] : answer.headers)
    if (name == "www-authenticate") joined += (joined.empty() ? "" : ", ") + value;
  return joined;
}

std::optional<BearerChallenge> bearer_challenge(const std::string& www_authenticate) {
  ChallengeReader reader(www_authenticate);
  bool bearer = false;  // the scheme that the parameters belong to
  std::map<std::string, std::string> parameters;
  for (reader.separators(); !reader.at_end(); reader.separators()) {
    const std::string word = lower_case(reader.token());
    reader.blanks();
    if (reader.take('=')) {
      reader.blanks();
      std::string value = reader.value();
      if (bearer) parameters.emplace(word, std::move(value));  // the first counts
    } else if (bearer) {
      break;  // the next scheme begins
    } else {
      bearer = word == "bearer";
    }
    if (!bearer || word.empty()) reader.skip_rest_of_word();
  }
  if (!bearer) return std::nullopt;
  return BearerChallenge{parameters["resource_metadata"], parameters["scope"], parameters["error"]};
}

}  // namespace leanbridge::upstream
