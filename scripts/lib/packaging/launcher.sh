#!/bin/sh
# Starts leanbridge. Where the C library is too old for it, says so: the loader would name its symbols.
self=$0
case $self in */*) ;; *) self=./$self ;; esac
if [ -L "$self" ]; then self=$(readlink -f -- "$self"); fi
program=${self%/*}/../lib/leanbridge/leanbridge

refuse() {
  echo "leanbridge: $1" >&2
  exit 1
}

[ -e "@LOADER@" ] || refuse "it needs glibc 2.34 or newer, as in Debian 12, Ubuntu 22.04 or RHEL 9, and this system has no glibc for @ARCH@."
# Since 2.34 libc.so.6 is a file; before, it was a link to one with the version in its name.
if [ -L "/lib/@ARCH@-linux-gnu/libc.so.6" ] || [ -L /lib64/libc.so.6 ]; then
  version=$(getconf GNU_LIBC_VERSION 2>/dev/null)
  minor=${version#glibc 2.}
  minor=${minor%%.*}
  case $minor in
    [0-9] | [12][0-9] | 3[0-3]) refuse "it needs glibc 2.34 or newer, as in Debian 12, Ubuntu 22.04 or RHEL 9; this system has $version." ;;
  esac
fi
[ -x "$program" ] || refuse "$program is missing: unpack the whole archive, or link to this script."
exec "$program" "$@"
