#!/usr/bin/env bash
# Shows that `npm start` of this checkout becomes ready, answers, and ends on a signal.
set -euo pipefail
cd "$(dirname "$0")/.."
READY_WITHIN_SECONDS=900

folder=$(mktemp -d)
cleanup() {
  if kill -0 "$pid" 2>/dev/null; then kill "$pid" && wait "$pid" || true; fi
  rm -rf "$folder"
}
trap cleanup EXIT
PORT=0 DATA_DIR=$folder/data npm start >"$folder/log" 2>&1 &
pid=$!

fail() {
  echo "npm start: $1" >&2
  cat "$folder/log" >&2
  exit 1
}
until url=$(sed -n 's/.*ready at \(http:[^ ]*\).*/\1/p' "$folder/log" | head -n 1) && [ -n "$url" ]; do
  kill -0 "$pid" 2>/dev/null || fail 'ended before it was ready'
  [ "$SECONDS" -lt "$READY_WITHIN_SECONDS" ] || fail "was not ready within $READY_WITHIN_SECONDS s"
  sleep 0.2
done
node -e 'fetch(process.argv[1] + "/readyz").then(({ status }) => process.exit(status === 200 ? 0 : 1))' "$url" ||
  fail 'does not answer'
kill "$pid"
wait "$pid" || true
# npm ends before the product does, whose database goes last.
while [ -e "$folder/data/postgres/postmaster.pid" ]; do
  [ "$SECONDS" -lt "$READY_WITHIN_SECONDS" ] || fail 'did not stop'
  sleep 0.2
done
echo "npm start: ready at $url after $SECONDS s, and stopped"
