#!/bin/sh
# Installs what `npm run test:etcd` and `npm run test:machines` need on Debian: etcd, Docker, busybox for its image, and
# what boots systemd in a container, Prometheus, Caddy, HAProxy, PostgreSQL, SQLite, zstd, the shells whose completion is tested,
# dig with what builds a program that looks names up as Alpine's do, and a machine with a kernel of Debian's, emulated, for what the
# kernel of the host may lack. Run as root. Quick when everything is there already.
set -eu

packages='docker.io containerd prometheus caddy haproxy iptables busybox-static iproute2 procps systemd-container mmdebstrap dbus etcd-server etcd-client openssl zsh fish postgresql sqlite3 zstd bind9-dnsutils tcc musl-dev qemu-system-x86 quota xfsprogs'

missing=''
for package in $packages; do
  dpkg -s "$package" 2>/dev/null | grep -q '^Status: install ok installed' || missing="$missing $package"
done
if [ -n "$missing" ]; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update
  # shellcheck disable=SC2086 # one word per package
  apt-get -qq install -y --no-install-recommends $missing
fi

# Unpacked only: nobody boots this host with it.
kernel=/usr/local/lib/mariposa-test-kernel
if [ ! -d $kernel/boot ]; then
  mkdir -p $kernel/package
  name=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/.*Depends: \(linux-image-\S*\).*/\1/p' | head -n 1)
  (cd $kernel/package && apt-get -qq download "$name" && dpkg -x ./*.deb ..)
  rm -rf $kernel/package
fi
