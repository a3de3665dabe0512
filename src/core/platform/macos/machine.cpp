#include "core/platform/machine.hpp"

#include <mach/mach.h>
#include <mach/mach_host.h>
#include <pthread/qos.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace leanbridge::platform {

// arc4random_buf(3): it cannot fail.
bool fill_with_random_bytes(char* bytes, std::size_t count) {
  if (count > 256) return false;
  ::arc4random_buf(bytes, count);
  return true;
}

// pthread_set_qos_class_self_np(3): below what a user waits for, for processors and disks.
void lower_priority_of_this_thread() {
  ::pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0);
}

// host_statistics64(3): pages that are free, and those that the system gives away first.
Capacity read_capacity() {
  Capacity capacity{std::max<std::size_t>(std::thread::hardware_concurrency(), 1), 0};
  vm_statistics64_data_t memory{};
  mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
  const mach_port_t host = ::mach_host_self();
  if (::host_statistics64(host, HOST_VM_INFO64, reinterpret_cast<host_info64_t>(&memory), &count) ==
      KERN_SUCCESS)
    capacity.free_bytes = (std::int64_t{memory.free_count} + memory.inactive_count) * ::sysconf(_SC_PAGESIZE);
  ::mach_port_deallocate(::mach_task_self(), host);
  return capacity;
}

WatchLimits watch_limits() {
  return {};
}

}  // namespace leanbridge::platform
