#pragma once
/// `leanbridge mcp serve-config`: prints the entry of a host that starts this program.

#include "core/program/options.hpp"
#include "desk/hosts/hosts.hpp"

namespace leanbridge::app {

/// The way for a host to start this program with the flags and variables in force here.
Result<hosts::Launch> launch_as_here(const Options& options);

/// Prints a host configuration that starts this program with the current flags and variables.
int mcp_serve_config(const Options& options);

}  // namespace leanbridge::app
