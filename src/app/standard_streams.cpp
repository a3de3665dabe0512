#include "standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace leanbridge::app {

namespace {

// The lowest free descriptor is taken, so that descriptors are to be claimed in their order.
bool claim(int descriptor) {
  if (::fcntl(descriptor, F_GETFD) >= 0) return true;
  ::open("/dev/null", O_RDWR);
  return false;
}

}  // namespace

StandardDescriptors claim_standard_descriptors() {
  StandardDescriptors were_open;
  were_open.input = claim(STDIN_FILENO);
  were_open.output = claim(STDOUT_FILENO);
  were_open.error = claim(STDERR_FILENO);
  return were_open;
}

}  // namespace leanbridge::app
