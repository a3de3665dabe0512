// All of Asio that is no template.
#include <boost/asio/impl/src.hpp>
