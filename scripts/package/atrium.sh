#!/bin/sh
# Starts Atrium from the directory that it was unpacked into: `atrium serve` runs the server, and everything else is a
# command. The working directory stays, since settings may name relative paths, and `.env` is read there.
program=$0
while [ -L "$program" ]; do
  target=$(readlink -- "$program")
  case $target in
    /*) program=$target ;;
    *) program=$(dirname -- "$program")/$target ;;
  esac
done
directory=$(CDPATH='' cd -- "$(dirname -- "$program")/.." && pwd -P) || exit 1

if [ "$#" = 1 ] && [ "$1" = serve ]; then
  # As in `npm start` (docs/decisions/006-embedded-database-performance.md).
  exec "$directory/runtime/node" --max-semi-space-size=16 "$directory/src/server/main.js"
fi
exec "$directory/runtime/node" "$directory/src/atrium.js" "$@"
