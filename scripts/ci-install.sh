#!/bin/sh
# Installs what `npm run test:etcd` and `npm run test:machines` need on Debian: etcd, Docker, busybox for its image, and
# what boots systemd in a container, Prometheus, Caddy, HAProxy, PostgreSQL, SQLite, zstd, the shells whose completion is tested,
# and dig with what builds a program that looks names up as Alpine's do. Run as root. Quick when everything is there already.
set -eu

packages='docker.io containerd prometheus caddy haproxy iptables busybox-static iproute2 procps systemd-container mmdebstrap dbus etcd-server etcd-client openssl zsh fish postgresql sqlite3 zstd bind9-dnsutils tcc musl-dev'

missing=''
for package in $packages; do
  dpkg -s "$package" 2>/dev/null | grep -q '^Status: install ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
# shellcheck disable=SC2086 # one word per package
apt-get -qq install -y --no-install-recommends $missing
