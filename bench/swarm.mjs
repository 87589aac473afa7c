// Requests that fail while a service is changed, through the routing mesh of Docker Swarm and through our entry, one after the other in one
// machine: a Linux that runs as a process (Debian's user-mode-linux), as the kernel of the host may have no ip_vs. It has one processor and
// the host's clock, so what else the host does is in the figures; what a system call costs there, too.
// `apt-get install user-mode-linux kmod && npm run build && node bench/swarm.mjs --rate 20 --rollouts 5`
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleExports, bundleTo } from './bundle.mjs'

const root = join(import.meta.dirname, '..')

/** It sees the files of the host, and writes to none: what it writes is in its memory. Whoever asks is on the other end of a cable. */
const begins = (dir) => `#!/bin/sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t cgroup2 groups /sys/fs/cgroup
mount -t devtmpfs dev /dev 2> /dev/null; mkdir -p /dev/pts; mount -t devpts pts /dev/pts
for memory in /run /tmp /var /mnt; do mount -t tmpfs memory $memory; done
mkdir -p /var/lib /var/log /var/tmp /mnt/bench /tmp/modules/lib; ln -s /run /var/run; ln -s /run/lock /var/lock; mkdir /run/lock
mount -t hostfs bench /mnt/bench -o ${dir}
ln -s /usr/lib/uml/modules /tmp/modules/lib/modules
mkdir /tmp/bin; ln -s /usr/sbin/xtables-legacy-multi /tmp/bin/iptables; export PATH=/tmp/bin:$PATH
printf '#!/bin/sh\\nexec modprobe -d /tmp/modules "$@"\\n' > /tmp/modprobe; chmod 755 /tmp/modprobe
echo /tmp/modprobe > /proc/sys/kernel/modprobe
for module in overlay bridge br_netfilter ip_vs ip_vs_rr vxlan veth iptable_nat iptable_filter iptable_mangle xt_conntrack xt_addrtype xt_MASQUERADE xt_nat xt_REDIRECT xt_mark xt_ipvs nf_conntrack; do /tmp/modprobe $module; done
hostname machine; echo 1 > /proc/sys/net/ipv4/ip_forward
ip link set lo up; ip netns add clients
ip link add inside type veth peer name outside netns clients
ip addr add 10.9.0.1/24 dev inside; ip link set inside up
for words in 'link set lo up' 'addr add 10.9.0.2/24 dev outside' 'link set outside up'; do ip -n clients $words; done
containerd > /tmp/containerd.log 2>&1 &
dockerd --containerd /run/containerd/containerd.sock > /tmp/dockerd.log 2>&1 &
ip netns exec clients ${process.execPath} /mnt/bench/swarm-guest.mjs || tail -n 30 /tmp/dockerd.log /tmp/mariposa.log
echo o > /proc/sysrq-trigger; sleep 1; busybox poweroff -f
`

/** Rows of the bench table. */
export async function run(options = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-bench-swarm-'))
  try {
    await furnish(dir, options)
    return await boot(dir)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** What the machine has besides the files of the host. */
async function furnish(dir, options) {
  const guest = await bundleTo({ entryPoints: [join(root, 'bench/swarm-guest.mjs')] }, 'swarm-guest.mjs')
  cpSync(guest, join(dir, 'swarm-guest.mjs'))
  cpSync(join(root, 'test/machines/steady-load.mjs'), join(dir, 'steady-load.mjs'))
  const { librariesOf } = await bundleExports(
    "export { librariesOf } from './test/machines/host-programs.ts'",
    'swarm.mjs',
  )
  const image = join(dir, 'image')
  const put = (from, to) => cpSync(from, join(image, to), { recursive: true, dereference: true })
  put(process.execPath, 'usr/bin/node')
  put('/bin/busybox', 'bin/busybox')
  for (const library of librariesOf(process.execPath)) put(library, library)
  put(join(root, 'bench/swarm-program.cjs'), 'program.cjs')
  execFileSync('tar', ['-C', image, '-cf', join(dir, 'image.tar'), '.'])
  rmSync(image, { recursive: true })
  writeFileSync(
    join(dir, 'options.json'),
    JSON.stringify({ ...options, program: join(root, 'dist/mariposa.js') }),
  )
  writeFileSync(join(dir, 'begin'), begins(dir))
  chmodSync(join(dir, 'begin'), 0o755)
}

/** Resolves to the rows that were printed, once the machine is off. */
async function boot(dir) {
  const words = ['mem=6G', 'root=/dev/root', 'rootfstype=hostfs', 'ro', `init=${join(dir, 'begin')}`]
  const shown = ['con=null', 'con0=null,fd:1', 'quiet', `uml_dir=${dir}`]
  const env = { ...process.env, TMPDIR: dir }
  const machine = spawn('linux.uml', [...words, ...shown], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const rows = []
  let rest = ''
  machine.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split(/\r?\n/)
    rest = lines.pop()
    for (const line of lines) {
      if (line.startsWith('ROW ')) rows.push({ ...JSON.parse(line.slice(4)), load: loadavg()[0] })
      console.error(line)
    }
  })
  await once(machine, 'close')
  return rows
}

if (process.argv[1] === import.meta.filename) {
  const text = { type: 'string' }
  const { values } = parseArgs({
    options: { rollouts: text, rate: text, only: text, ends: text },
  })
  const isNumber = (key) => key === 'rollouts' || key === 'rate'
  const options = Object.entries(values).map(([key, value]) => [key, isNumber(key) ? Number(value) : value])
  console.table(await run(Object.fromEntries(options)))
}
