// The parts of Asio that are not templates.
#include <boost/asio/impl/src.hpp>
