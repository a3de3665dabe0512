#include "check/command/batch_driver.hpp"

#include "check/command/file_lines.hpp"
#include "support/loop.hpp"
#include "support/test_folder.hpp"
#include <unistd.h>

#include <array>

namespace leanbridge::app {

using test::Loop;
using test::TestFolder;

namespace {

/// A driver that writes its verdicts to a pipe.
class DriverFixture {
 public:
  DriverFixture() { REQUIRE(::pipe(ends_.data()) == 0); }
  ~DriverFixture() {
    close_reader();
    ::close(ends_[1]);
  }

  std::vector<std::string> lines_of(const std::string& name) {
    REQUIRE(driver().open(name));
    std::vector<std::string> found;
    for (;;) {
      const auto line = loop.run(driver().next_line());
      REQUIRE(line);
      if (!*line) return found;
      found.push_back(driver().place_of(**line) + " " + (*line)->text);
    }
  }
  /// What has been written so far.
  std::string read() {
    std::array<char, 4096> bytes{};
    const auto size = ::read(ends_[0], bytes.data(), bytes.size());
    return {bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
  }
  void close_reader() {
    if (ends_[0] >= 0) ::close(std::exchange(ends_[0], -1));
  }
  BatchDriver& driver() {
    if (!driver_) {
      out_.emplace(ends_[1], O_WRONLY);
      driver_.emplace(loop.context, pool_, *out_, [this] { lost = true; });
    }
    return *driver_;
  }

  Loop loop;
  bool lost = false;

 private:
  std::array<int, 2> ends_{-1, -1};
  io::Pool pool_;
  std::optional<StandardStream> out_;
  std::optional<BatchDriver> driver_;
};

}  // namespace

TEST_CASE("a batch reads the lines of a file, and says where they are") {
  DriverFixture it;
  const TestFolder folder;
  const std::string name = folder.write("items", "one\n\ntwo").string();
  CHECK(it.lines_of(name) == std::vector<std::string>{name + ":1 one", name + ":3 two"});
  CHECK(it.driver().open((folder / "none").string()).error().kind == ErrorKind::FileNotFound);
}

TEST_CASE("a batch that stops reading takes no further line") {
  DriverFixture it;
  const TestFolder folder;
  REQUIRE(it.driver().open(folder.write("items", "one\ntwo\n").string()));
  REQUIRE(it.loop.run(it.driver().next_line()).value());
  it.driver().stop_reading();
  CHECK_FALSE(it.loop.run(it.driver().next_line()).value().has_value());
}

TEST_CASE("a batch takes each id once") {
  DriverFixture it;
  CHECK(it.driver().take_id("a"));
  CHECK(it.driver().take_id("b"));
  CHECK_FALSE(it.driver().take_id("a"));
}

TEST_CASE("a batch writes whole lines, after the end of one that was cut off") {
  DriverFixture it;
  it.driver().begin(true);
  CHECK(it.loop.run(it.driver().write("{}\n")));
  CHECK(it.loop.run(it.driver().drain()));
  CHECK(it.read() == "\n{}\n");
  CHECK_FALSE(it.loop.run(it.driver().write("{}\n")));
}

TEST_CASE("a batch notices that nobody reads its verdicts any more") {
  DriverFixture it;
  it.driver().begin(false);
  it.close_reader();
  CHECK(it.loop.until([&] { return it.lost; }));
  CHECK_FALSE(it.loop.run(it.driver().write("{}\n")));
}

TEST_CASE("a batch knows what an earlier run has answered") {
  const TestFolder folder;
  std::vector<std::string> lines;
  const auto add = [&](const std::string& line) {
    lines.push_back(line);
    return line != "broken";
  };
  CHECK(read_earlier("", add) == false);
  CHECK(read_earlier((folder / "none").string(), add) == false);
  // It is not stdout, so nothing is appended to the line that was cut off.
  CHECK(read_earlier(folder.write("verdicts", "one\nbroken").string(), add) == false);
  CHECK(lines == std::vector<std::string>{"one", "broken"});
  CHECK_FALSE(read_earlier(folder.path().string(), add).has_value());
}

TEST_CASE("a file ends after a line, or within one") {
  const TestFolder folder;
  const auto skip = [](const batch::LineReader::Line&) {};
  CHECK(for_each_line(folder.write("whole", "one\n").string(), skip) == FileEnd::AfterLine);
  CHECK(for_each_line(folder.write("cut", "one\ntw").string(), skip) == FileEnd::WithinLine);
}

}  // namespace leanbridge::app
