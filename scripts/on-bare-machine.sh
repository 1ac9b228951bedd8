#!/usr/bin/env bash
# Runs a command as on a machine that has Node, npm, git and the base system's commands, and nothing else: HOME is empty,
# and the PATH leads to no Go, Java, Maven, Docker, Python or browser. npm keeps its registry and its settings.
set -euo pipefail

# The base system of Debian, Fedora, Alpine or macOS; what a shell script or npm's own installer may expect.
BASE=(sh bash env cat cp mv rm ln ls mkdir rmdir chmod chown touch mktemp head tail sort uniq tr cut wc sed grep egrep
  awk find xargs tee tar gzip gunzip xz unzip uname id whoami hostname date sleep kill ps nice nohup test expr printf echo
  dirname basename readlink realpath true false getconf df du stat od sha256sum shasum diff cmp locale getent su setpriv
  runuser timeout stty nproc which pwd seq)
TOOLS=(node npm npx git)

machine=$(mktemp -d)
trap 'rm -rf "$machine"' EXIT
mkdir "$machine/bin" "$machine/home"
for name in "${BASE[@]}" "${TOOLS[@]}"; do
  if program=$(type -P "$name"); then ln -s "$program" "$machine/bin/$name"; fi
done

userconfig=${NPM_CONFIG_USERCONFIG:-${npm_config_userconfig:-$HOME/.npmrc}}
if [ -f "$userconfig" ]; then export NPM_CONFIG_USERCONFIG=$userconfig; fi
unset npm_config_userconfig XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME JAVA_HOME GOROOT GOPATH DOCKER_HOST \
  KAFKA_BROKERS REDIS_URL TEST_DATABASE_URL STRIPE_MOCK_URL PLAYWRIGHT_BROWSERS_PATH NODE
HOME=$machine/home PATH=$machine/bin "$@"
