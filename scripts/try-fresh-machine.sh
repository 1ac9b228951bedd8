#!/usr/bin/env bash
# Does what the README promises to a newcomer: a fresh clone of HEAD, an empty HOME, Node, npm, git and the base system's
# commands, nothing else; `npm start` until it is ready, then `npm test`.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git clone --quiet --no-local . "$folder/casewatch"
cd "$folder/casewatch"
scripts/on-bare-machine.sh bash -c 'scripts/try-start.sh && npm test'
