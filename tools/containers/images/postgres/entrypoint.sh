#!/bin/bash
# What the official image does with POSTGRES_USER, POSTGRES_PASSWORD and POSTGRES_DB on an empty volume.
set -euo pipefail
if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  : "${POSTGRES_PASSWORD:?must be set}"
  user=${POSTGRES_USER:-postgres}
  database=${POSTGRES_DB:-$user}
  mkdir -p "$PGDATA"
  initdb -D "$PGDATA" -U "$user" --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") \
    --auth-host=scram-sha-256 --auth-local=trust >/dev/null
  echo "host all all all scram-sha-256" >>"$PGDATA/pg_hba.conf"
  echo "listen_addresses = '*'" >>"$PGDATA/postgresql.conf"
  echo "unix_socket_directories = '/tmp'" >>"$PGDATA/postgresql.conf"
  if [ "$database" != postgres ]; then
    echo "CREATE DATABASE \"$database\"" | postgres --single -D "$PGDATA" -j postgres >/dev/null
  fi
fi
exec "$@"
