// Requests that fail while a service is changed, through the routing mesh of Docker Swarm and through our entry, one after the other in one
// machine: emulated, with a kernel of Debian's, as that of the host may have no ip_vs. The machine has a processor of so many instructions a
// second and a clock that follows them, so that what else the host does makes the measurement longer and changes nothing in it.
// `node bench/swarm.mjs --rate 10 --rollouts 3`
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleExports, bundleTo } from './bundle.mjs'

const root = join(import.meta.dirname, '..')

/** Containers cannot pivot from what a kernel begins with: all of it is moved to a file system first. */
const moves = `mkdir /moved; mount -t tmpfs -o size=85% moved /moved
cp -a /bin /sbin /usr /lib /lib64 /opt /moved
cd /moved; mkdir proc sys dev tmp run root etc var var/tmp; ln -s /run var/run
umount /tmp; umount /sys; mount --move /proc proc; mount --move /dev dev
exec switch_root /moved /bin/sh /opt/begin`

/** Whoever asks has a network of their own, on the other end of a cable. */
const begins = `export PATH=/usr/bin:/bin HOME=/root
mount -t sysfs sys /sys; mount -t cgroup2 groups /sys/fs/cgroup; mount -t tmpfs tmp /tmp; mount -t tmpfs run /run
echo 'root:x:0:0::/root:/bin/sh' > /etc/passwd; echo '127.0.0.1 localhost' > /etc/hosts; : > /etc/resolv.conf
od -An -tx1 -N16 /dev/urandom | tr -d ' \\n' > /etc/machine-id
hostname machine; ip=/usr/bin/ip
for module in overlay bridge br_netfilter ip_vs ip_vs_rr vxlan veth; do modprobe $module; done
$ip link set lo up; $ip netns add clients
$ip link add inside type veth peer name outside netns clients
$ip addr add 10.9.0.1/24 dev inside; $ip link set inside up
for words in 'link set lo up' 'addr add 10.9.0.2/24 dev outside' 'link set outside up'; do $ip -n clients $words; done
containerd > /tmp/containerd.log 2>&1 &
dockerd --containerd /run/containerd/containerd.sock > /tmp/dockerd.log 2>&1 &
$ip netns exec clients node /opt/bench/swarm-guest.mjs || tail -n 30 /tmp/dockerd.log /tmp/mariposa.log
poweroff -f`

const programs = [
  ...[
    '/usr/sbin/dockerd',
    '/usr/sbin/docker-proxy',
    '/usr/bin/containerd',
    '/usr/bin/containerd-shim-runc-v2',
  ],
  ...['/usr/sbin/runc', '/usr/sbin/iptables', '/usr/sbin/ip', '/usr/bin/caddy', process.execPath],
]
/** The modules that containers and their networks need. */
const moduleFolders = [
  ...['net', 'lib', 'crypto', 'arch/x86/crypto', 'fs/overlayfs'],
  ...['drivers/net/vxlan', 'drivers/net/veth.ko'],
]

/** Rows of the bench table. */
export async function run(options = {}) {
  const parts = await bundleExports(
    `export * from './test/machines/virtual-machine.ts'
export { librariesOf } from './test/machines/host-programs.ts'`,
    'swarm.mjs',
  )
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-bench-swarm-'))
  const rows = []
  let rest = ''
  try {
    await parts.runInVirtualMachine({
      programs,
      files: await furnish(dir, parts, options),
      modules: [],
      moduleFolders,
      memory: 4096,
      ownTime: true,
      script: moves,
      follow: (text) => {
        const lines = (rest + text).split(/\r?\n/)
        rest = lines.pop()
        for (const line of lines) {
          if (line.startsWith('ROW ')) rows.push(JSON.parse(line.slice(4)))
          console.error(line)
        }
      },
    })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
  return rows
}

/** What the machine has besides its programs, by the paths there. */
async function furnish(dir, { librariesOf }, options) {
  const guest = await bundleTo({ entryPoints: [join(root, 'bench/swarm-guest.mjs')] }, 'swarm-guest.mjs')
  const image = join(dir, 'image')
  const put = (from, to) => cpSync(from, to, { recursive: true, dereference: true })
  put(guest, join(dir, 'bench/swarm-guest.mjs'))
  for (const name of ['steady-load.mjs']) put(join(root, 'test/machines', name), join(dir, 'bench', name))
  writeTo(join(dir, 'bench/options.json'), JSON.stringify(options))
  writeTo(join(dir, 'begin'), begins)
  put(process.execPath, join(image, 'usr/bin/node'))
  put('/bin/busybox', join(image, 'bin/busybox'))
  for (const library of librariesOf(process.execPath)) put(library, join(image, library))
  put(join(root, 'bench/swarm-program.cjs'), join(image, 'program.cjs'))
  execFileSync('tar', ['-C', image, '-cf', join(dir, 'image.tar'), '.'])
  return {
    '/opt/begin': join(dir, 'begin'),
    '/opt/bench': join(dir, 'bench'),
    '/opt/image.tar': join(dir, 'image.tar'),
    '/opt/dist': join(root, 'dist'),
    // What iptables loads by itself.
    '/usr/lib/x86_64-linux-gnu/xtables': '/usr/lib/x86_64-linux-gnu/xtables',
  }
}

function writeTo(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: { rollouts: { type: 'string' }, rate: { type: 'string' }, only: { type: 'string' } },
  })
  const numbers = Object.entries(values).map(([key, value]) => [key, key === 'only' ? value : Number(value)])
  console.table(await run(Object.fromEntries(numbers)))
}
