#include "core/program/run.hpp"

int main(int argc, char** argv) {
  return leanbridge::app::run(argc, argv);
}
