#!/bin/bash
# The jars hold the server only, so that its health check asks whether the listener takes connections.
set -euo pipefail
address=${2:?--bootstrap-server host:port}
exec 3<>"/dev/tcp/${address%:*}/${address##*:}"
