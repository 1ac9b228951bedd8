#!/bin/bash
# What the official image does: KAFKA_SOME_SETTING becomes some.setting, the storage is formatted once.
set -euo pipefail
properties=/tmp/server.properties
env | sed -n 's/^KAFKA_\([A-Z_]*\)=\(.*\)$/\1=\2/p' | while IFS='=' read -r name value; do
  name=${name,,}
  echo "${name//_/.}=$value"
done >"$properties"
run=(java -Xms64m -Xmx384m -XX:+UseSerialGC -cp '/opt/kafka/libs/*')
if [ ! -s "${KAFKA_LOG_DIRS}/meta.properties" ]; then
  "${run[@]}" kafka.tools.StorageTool format -t "${CLUSTER_ID:-Q2FzZXdhdGNoQ29tcG9zZQ}" -c "$properties"
fi
exec "${run[@]}" kafka.Kafka "$properties"
