// Which events a client that lost its connection gets again.

#include "gateway/streamable/event_buffer.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::streamable::test {

TEST_CASE("An event id says its stream", "[streamable][events]") {
  CHECK(EventId{3, 17}.text() == "3-17");
  CHECK(EventId::read("3-17") == EventId{3, 17});
  for (const char* text :
       {"", "3", "3-", "-17", "3-17x", "a-1", "3--1", "99999999999999999999999-1", " 3-17"})
    CHECK_FALSE(EventId::read(text));
}

TEST_CASE("Events are written as the format wants them", "[streamable][events]") {
  EventBuffer events(3);
  CHECK(events.add_priming(1000) == "id: 3-1\nretry: 1000\ndata: \n\n");
  CHECK(events.add("{\"a\":1}") == "id: 3-2\nevent: message\ndata: {\"a\":1}\n\n");
  CHECK(events.latest() == 2);
}

TEST_CASE("A client gets what came after the last event it saw", "[streamable][events]") {
  EventBuffer events(0);
  for (const char* json : {"1", "2", "3"}) events.add(json);
  REQUIRE(events.after(1));
  CHECK(events.after(1)->size() == 2);
  CHECK(events.after(1)->front().find("data: 2") != std::string::npos);
  CHECK(events.after(3)->empty());
  CHECK(events.after(0)->size() == 3);
  CHECK_FALSE(events.after(4));  // never sent
}

TEST_CASE("Old events give way, and a gap is not hidden", "[streamable][events]") {
  EventBuffer few(0, 2, 1000);
  for (const char* json : {"1", "2", "3"}) few.add(json);
  CHECK(few.all().size() == 2);
  CHECK_FALSE(few.after(0));
  CHECK(few.after(1)->size() == 2);

  EventBuffer small(0, 100, 100);
  small.add("1");
  small.add(std::string(500, 'x'));  // the newest is always kept
  CHECK(small.all().size() == 1);
  CHECK(small.bytes() > 500);
  small.add("3");
  CHECK(small.bytes() < 100);
}

}  // namespace leanbridge::streamable::test
