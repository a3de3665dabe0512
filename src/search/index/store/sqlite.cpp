#include "search/index/sqlite.hpp"

#include <cstring>

namespace leanbridge::index::sqlite {

namespace {

// The index makes its own terms (words.cpp), and FTS5's tokenizer must keep them intact: it splits only at
// spaces.
int create_tokenizer(void*, const char**, int, Fts5Tokenizer** made) {
  static char nothing;
  *made = reinterpret_cast<Fts5Tokenizer*>(&nothing);
  return SQLITE_OK;
}

void delete_tokenizer(Fts5Tokenizer*) {}

int cut_at_spaces(Fts5Tokenizer*, void* context, int, const char* text, int size,
                  int (*on_term)(void*, int, const char*, int, int, int)) {
  int begin = 0;
  for (int i = 0; i <= size; ++i) {
    if (i < size && text[i] != ' ') continue;
    if (i > begin)
      if (const int code = on_term(context, 0, text + begin, i - begin, begin, i); code != SQLITE_OK)
        return code;
    begin = i + 1;
  }
  return SQLITE_OK;
}

// The auxiliary function `phrase_hits`: a PhraseHit for each phrase of the expression, as a blob.
void phrase_hits(const Fts5ExtensionApi* api, Fts5Context* fts, sqlite3_context* context, int,
                 sqlite3_value**) {
  std::vector<PhraseHit> hits(static_cast<std::size_t>(api->xPhraseCount(fts)));
  int instances = 0;
  if (const int code = api->xInstCount(fts, &instances); code != SQLITE_OK)
    return sqlite3_result_error_code(context, code);
  for (int i = 0; i < instances; ++i) {
    int phrase = 0, column = 0, place = 0;
    if (const int code = api->xInst(fts, i, &phrase, &column, &place); code != SQLITE_OK)
      return sqlite3_result_error_code(context, code);
    PhraseHit& hit = hits[static_cast<std::size_t>(phrase)];
    hit.columns |= std::uint64_t{1} << column;
    if (place >= 64) continue;
    if (column == 0) hit.places |= std::uint64_t{1} << place;
    if (column == 3) hit.in_text |= std::uint64_t{1} << place;
  }
  sqlite3_result_blob(context, hits.data(), static_cast<int>(hits.size() * sizeof(PhraseHit)),
                      SQLITE_TRANSIENT);
}

fts5_api* fts5_of(const Database& database) {
  fts5_api* api = nullptr;
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database.handle(), "SELECT fts5(?1)", -1, &statement, nullptr) != SQLITE_OK)
    database.fail("looking for FTS5, which this SQLite lacks");
  sqlite3_bind_pointer(statement, 1, static_cast<void*>(&api), "fts5_api_ptr", nullptr);
  sqlite3_step(statement);
  sqlite3_finalize(statement);
  if (!api) throw Failure(SQLITE_ERROR, "this SQLite gives no access to FTS5");
  return api;
}

void add_to_fts5(const Database& database) {
  fts5_api* const api = fts5_of(database);
  fts5_tokenizer tokenizer = {create_tokenizer, delete_tokenizer, cut_at_spaces};
  if (api->xCreateTokenizer(api, "spaces", nullptr, &tokenizer, nullptr) != SQLITE_OK)
    database.fail("adding a tokenizer");
  if (api->xCreateFunction(api, "phrase_hits", nullptr, phrase_hits, nullptr) != SQLITE_OK)
    database.fail("adding a function");
}

int is_stopped(void* flag) {
  return static_cast<std::atomic<bool>*>(flag)->load() ? 1 : 0;
}

// Escapes the characters that would end the path in SQLite's URIs.
std::string uri_of(const std::filesystem::path& path, const char* options) {
  std::string uri = "file:";
  for (const char c : path.string()) {
    if (c == '%') {
      uri += "%25";
    } else if (c == '?') {
      uri += "%3f";
    } else if (c == '#') {
      uri += "%23";
    } else {
      uri += c;
    }
  }
  return uri + options;
}

}  // namespace

Database::Database(const std::filesystem::path& path, Mode mode, std::shared_ptr<std::atomic<bool>> stop)
    : stop_(std::move(stop)) {
  int flags = SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_URI;
  std::string name = uri_of(path, "");
  if (mode == Mode::Memory) {
    name = ":memory:";
    flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  } else if (mode == Mode::ReadWrite) {
    flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  } else {
    flags |= SQLITE_OPEN_READONLY;
    if (mode == Mode::Immutable) name = uri_of(path, "?immutable=1");
  }
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail("opening " + path.string());
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, 5000);
  if (stop_) sqlite3_progress_handler(handle, 10'000, is_stopped, stop_.get());
  add_to_fts5(*this);
}

void Database::run(const char* sql) {
  if (sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    fail("running " + std::string(sql).substr(0, 60));
}

void Database::fail(const std::string& doing) const {
  const int code = handle_ ? sqlite3_extended_errcode(handle_.get()) : SQLITE_NOMEM;
  throw Failure(code, doing + ": " + (handle_ ? sqlite3_errmsg(handle_.get()) : "out of memory"));
}

Statement::Statement(const Database& database, std::string_view sql) : database_(database) {
  sqlite3_stmt* handle = nullptr;
  const int code =
      sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()), &handle, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) database.fail("preparing " + std::string(sql.substr(0, 60)));
}

Statement& Statement::bind(int parameter, std::int64_t value) {
  if (sqlite3_bind_int64(handle_.get(), parameter, value) != SQLITE_OK) database_.fail("binding a number");
  return *this;
}

Statement& Statement::bind(int parameter, std::string_view value) {
  // A null pointer would bind NULL, not the empty string.
  const char* text = value.data() ? value.data() : "";
  if (sqlite3_bind_text64(handle_.get(), parameter, text, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8) !=
      SQLITE_OK)
    database_.fail("binding a text");
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  database_.fail("running " + std::string(sqlite3_sql(handle_.get())).substr(0, 60));
}

void Statement::run() {
  while (step()) {
  }
  sqlite3_reset(handle_.get());
}

std::string_view Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
  if (!text) return {};
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column))};
}

std::vector<PhraseHit> Statement::hits(int column) const {
  const auto bytes = static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column));
  std::vector<PhraseHit> hits(bytes / sizeof(PhraseHit));
  if (!hits.empty()) std::memcpy(hits.data(), sqlite3_column_blob(handle_.get(), column), bytes);
  return hits;
}

struct Stemmer::State {
  Database database{"", Database::Mode::Memory, nullptr};
  fts5_tokenizer porter = {};
  Fts5Tokenizer* tokenizer = nullptr;
  ~State() {
    if (tokenizer) porter.xDelete(tokenizer);
  }
};

Stemmer::Stemmer() : state_(std::make_unique<State>()) {
  fts5_api* const api = fts5_of(state_->database);
  void* context = nullptr;
  const char* base = "spaces";
  if (api->xFindTokenizer(api, "porter", &context, &state_->porter) != SQLITE_OK ||
      state_->porter.xCreate(context, &base, 1, &state_->tokenizer) != SQLITE_OK)
    state_->database.fail("looking for the stemmer of FTS5");
}

Stemmer::~Stemmer() = default;

std::string Stemmer::operator()(const std::string& word) {
  std::string stem;
  const auto take = [](void* into, int, const char* text, int size, int, int) {
    static_cast<std::string*>(into)->assign(text, static_cast<std::size_t>(size));
    return SQLITE_OK;
  };
  state_->porter.xTokenize(state_->tokenizer, &stem, FTS5_TOKENIZE_DOCUMENT, word.data(),
                           static_cast<int>(word.size()), take);
  return stem.empty() ? word : stem;
}

Transaction::Transaction(Database& database, Kind kind) : database_(database) {
  database_.run(kind == Kind::Write ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  // After some errors SQLite has rolled back already, and this fails harmlessly.
  if (open_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.run("COMMIT");
  open_ = false;
}

}  // namespace leanbridge::index::sqlite
