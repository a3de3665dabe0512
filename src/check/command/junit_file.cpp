#include "junit_file.hpp"

#include "core/base/try.hpp"
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace leanbridge::app {

Result<std::shared_ptr<JUnitFile>> JUnitFile::create(const std::string& name) {
  Descriptor file(::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file)
    return fail(ErrorKind::InvalidArgument, "Cannot write " + name + ": " + std::strerror(errno) + ".",
                "Pass another file to --junit.");
  auto junit = std::make_shared<JUnitFile>(std::move(file), name);
  TRY_DONE(junit->write(batch::junit_head({})));
  return junit;
}

Result<void> JUnitFile::write(const std::string& text) const {
  if (write_all(file_.get(), text)) return {};
  return fail(ErrorKind::Internal, "Cannot write " + name_ + ": " + std::strerror(errno) + ".",
              "Free space on its disk.");
}

Result<void> JUnitFile::finish(const batch::Summary& summary) const {
  TRY_DONE(write(batch::junit_tail()));
  ::lseek(file_.get(), 0, SEEK_SET);
  return write(batch::junit_head(summary));
}

}  // namespace leanbridge::app
