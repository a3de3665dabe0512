#!/bin/sh
# Becomes the program of the package for this system, which npm has installed beside this one or in it.
file=$0
while [ -L "$file" ]; do
  link=$(readlink "$file")
  case $link in
    /*) file=$link ;;
    *) file=${file%/*}/$link ;;
  esac
done
case $file in
  */*) here=${file%/*} ;;
  *) here=. ;;
esac
root=$(cd "$here/.." && pwd)

system=$(uname -s) machine=$(uname -m)
case $system in
  Linux) system=linux ;;
  Darwin) system=darwin ;;
esac
case $machine in
  x86_64 | amd64) machine=x64 ;;
  aarch64 | arm64) machine=arm64 ;;
esac
name=leanbridge-$system-$machine
for folder in "$root/node_modules" "$root/.."; do
  if [ -x "$folder/$name/bin/leanbridge" ]; then exec "$folder/$name/bin/leanbridge" "$@"; fi
done
echo "leanbridge: npm has not installed the package $name. There is one for Linux with glibc 2.34 or newer and one for macOS 11 or newer, each on x86_64 and aarch64; install again without --omit=optional." >&2
exit 1
