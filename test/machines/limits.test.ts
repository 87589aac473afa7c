// Limits and rights of a manifest as the program itself meets them, under real Docker and systemd.
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Docker from 'dockerode'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { builtProgram } from '../cli/program.js'
import { until } from '../e2e/cluster.js'
import { ask, type Host, hostPort, hostsOf, useHosts } from '../e2e/host.js'
import { testImage } from './docker-host.js'
import { onDocker } from './docker-place.js'
import { cpuOf, forksOf, held, hogManifest, hogs, neighbourManifest, processesOf } from './hogs.js'
import { importNode, nodeImage } from './node-image.js'
import { insideMachine } from './nspawn.js'
import { type SystemdHost, startSystemd } from './systemd-host.js'
import { hostsOnSystemd, runInMachine } from './systemd-place.js'

const docker = new Docker({ socketPath: inject('dockerSocket') })
const openDockerHost = hostsOf(
  builtProgram(join(import.meta.dirname, '../../dist/mariposa.js')),
  onDocker('limits', () => inject('dockerSocket')),
)
const openSystemdHost = hostsOnSystemd()
const openProcessHost = useHosts()

/** What a shell in an instance prints. */
async function told(host: Host, instance: string, script: string): Promise<readonly string[]> {
  const { stdout } = await host.done('service', 'exec', instance, '--', '/bin/sh', '-c', script)
  return stdout.trimEnd().split('\n')
}

async function deploy(host: Host, name: string, text: string): Promise<string> {
  await host.done('service', 'deploy', host.file(`${name}.yml`, text))
  const [instance] = await host.instances(name)
  return instance?.name ?? ''
}

/** The bits of some capabilities, as /proc shows them. */
const bits = (...numbers: readonly number[]): string =>
  numbers
    .reduce((sum, number) => sum | (1n << BigInt(number)), 0n)
    .toString(16)
    .padStart(16, '0')
const [kill, netBind, netAdmin] = [5, 10, 12]

describe('a container', () => {
  test('has the limits and rights of its manifest, and no others', async () => {
    const host = openDockerHost()
    await host.startDaemon()
    const name = await deploy(
      host,
      'web',
      `image: ${testImage}
command: [/bin/sh, -c, "trap 'echo told >/out/end; exit 0' INT; while :; do sleep 0.1; done"]
memory: 64
memory_swap: 64
cpu: 0.5
pids: 50
ulimits: [nofile=64:128, core=0]
shm_size: 8M
group_add: [44]
hostname: "{{ .instance.name }}.shop"
extra_hosts: {db.shop: 192.0.2.7}
init: true
read_only: true
cap_drop: [ALL]
cap_add: [kill, net_admin]
devices: ["/dev/null:/dev/nothing:r"]
sysctls: {net.core.somaxconn: 77}
stop_signal: INT
stop: {timeout: 60}
log: {max_size: 7M, max_files: 2}
tmpfs: "/scratch:size=2M"
volumes: ["${host.dir}:/out"]
`,
    )
    const tells = async (script: string): Promise<readonly string[]> => await told(host, name, script)
    expect(await tells('hostname; grep -c "192.0.2.7.*db.shop" /etc/hosts')).toEqual(['web-1.shop', '1'])
    expect((await tells('cat /proc/1/comm'))[0]).toMatch(/init/)
    const limits = await tells("awk '/open files|core file/ {print $(NF-2), $(NF-1)}' /proc/1/limits")
    expect([...limits].sort()).toEqual(['0 0', '64 128'])
    expect((await tells('id -G'))[0]?.split(' ')).toContain('44')
    expect(await tells("grep CapBnd /proc/1/status | tr -d '\\t'")).toEqual([
      `CapBnd:${bits(kill, netAdmin)}`,
    ])
    expect(await tells('touch /x 2>/dev/null || echo no; touch /scratch/x && echo yes')).toEqual([
      'no',
      'yes',
    ])
    const sizes = await tells("df -k /dev/shm /scratch | awk 'NR > 1 {print $2}'")
    expect(sizes).toEqual([String(8 * 1024), String(2 * 1024)])
    expect(await tells('test -c /dev/nothing && cat /proc/sys/net/core/somaxconn')).toEqual(['77'])
    const inspected = await docker.getContainer('default.web-1').inspect()
    expect(inspected.HostConfig).toMatchObject({
      NanoCpus: 5e8,
      PidsLimit: 50,
      MemorySwap: 64 * 1024 ** 2,
      LogConfig: { Type: 'json-file', Config: { 'max-size': '7m', 'max-file': '2' } },
    })
    const group = (version1: string, version2: string): string =>
      `cat /sys/fs/cgroup/${version1} 2>/dev/null || cat /sys/fs/cgroup/${version2}`
    expect(await tells(group('pids/pids.max', 'pids.max'))).toEqual(['50'])
    expect((await tells(group('cpu/cpu.cfs_quota_us', 'cpu.max')))[0]).toMatch(/^50000\b/)

    await host.done('service', 'stop', 'web')
    expect(readFileSync(join(host.dir, 'end'), 'utf8')).toBe('told\n')
  })

  test('is privileged where its manifest says so', async () => {
    const host = openDockerHost()
    await host.startDaemon()
    const service = (more: string): string =>
      `image: ${testImage}\ncommand: [sleep, "1000"]\nstop: {timeout: 0}\n${more}\n`
    await deploy(host, 'plain', service('cap_drop: [MKNOD]'))
    // A machine that has not all capabilities itself cannot start it, and makes it all the same.
    const file = host.file('out.yml', service('privileged: true'))
    await host.done('service', 'deploy', file, '--detach')
    const arePrivileged = async (service: string): Promise<readonly boolean[]> => {
      const filters = { label: [`io.mariposa.service=${service}`] }
      const containers = await docker.listContainers({ all: true, filters })
      const inspected = containers.map(({ Id }) => docker.getContainer(Id).inspect())
      return (await Promise.all(inspected)).map(({ HostConfig }) => HostConfig.Privileged === true)
    }
    await until(async () => expect(await arePrivileged('out')).toContain(true))
    expect(await arePrivileged('plain')).toEqual([false])
  })

  test('without the GPUs that it asks for does not start, with the reason', async () => {
    const host = openDockerHost()
    await host.startDaemon()
    const text = `image: ${testImage}\ncommand: [sleep, "1000"]\ngpus: all\n`
    await host.done('service', 'deploy', host.file('gpu.yml', text), '--detach')
    await host.sawEvent('gpu', ({ message }) => message.includes('gpu]]'))
  })

  test('that forks without end is stopped by its limit, and so is one that eats memory; a neighbour goes on', async () => {
    const host = openDockerHost()
    await host.startDaemon()
    const service = (script: string, more: string): string =>
      `image: ${testImage}\ncommand: [/bin/sh, -c, ${JSON.stringify(script)}]\nstop: {timeout: 0}\n${more}\n`
    const neighbour = await deploy(host, 'neighbour', service('exec sleep 1000', ''))
    const [before] = await host.instances('neighbour')
    const bomb = '(n=0; while [ $n -lt 500 ]; do sleep 1000 & n=$((n+1)); done); exec sleep 1000'
    await deploy(host, 'bomb', service(bomb, 'pids: 20'))
    await until(async () => {
      expect((await host.done('service', 'logs', 'bomb')).stdout).toContain('fork')
    })
    const { Processes = [] } = await docker.getContainer('default.bomb-1').top()
    expect(Processes.length).toBeLessThanOrEqual(20)
    const hog = 'x=aaaaaaaa; while :; do x=$x$x; done'
    await host.done(
      'service',
      'deploy',
      host.file('hog.yml', service(hog, 'memory: 16\nmemory_swap: 16\nrestart: "no"')),
      '--detach',
    )
    await host.sawEvent('hog', ({ message }) => /memory/i.test(message))
    expect(await told(host, neighbour, 'echo here')).toEqual(['here'])
    const [after] = await host.instances('neighbour')
    expect(after).toMatchObject({ state: 'running', startedAt: before?.startedAt })
  })
})

describe('a program under systemd', () => {
  const outcome = (host: Host): string => join(host.dir, 'told')
  const read = (path: string): string => runInMachine('cat', path)

  test('has the limits and rights of its manifest, and no others', async () => {
    const host = openSystemdHost()
    await host.startDaemon()
    const script = `exec >"$OUT/told"; ulimit -Sn; ulimit -Hn; id -G; grep -E 'Cap(Bnd|Amb)' /proc/self/status
touch /var/tmp/x-$$ 2>/dev/null || echo refused; touch "$OUT/x" && echo written; df -k --output=size /dev/shm | tail -1
trap 'echo told >"$OUT/end"; exit 0' USR1; echo ready; while :; do sleep 0.1; done`
    runInMachine('mkdir', '-p', `${host.dir}/out`)
    runInMachine('chmod', '0777', `${host.dir}/out`)
    runInMachine('chmod', '0755', host.dir)
    const name = await deploy(
      host,
      'web',
      `compute_type: process
command: [/bin/sh, -c, ${JSON.stringify(script)}]
environment: {OUT: /mnt/out}
volumes: ["${host.dir}/out:/mnt/out"]
user: nobody
memory: 64
memory_swap: 96
cpu: 0.5
pids: 50
ulimits: [nofile=64:128]
shm_size: 8M
group_add: [44]
read_only: true
cap_drop: [ALL]
cap_add: [NET_BIND_SERVICE]
devices: ["/dev/null:r"]
stop_signal: USR1
stop: {timeout: 60}
`,
    )
    const file = `${outcome({ ...host, dir: `${host.dir}/out` })}`
    await until(() => Promise.resolve(expect(read(file)).toContain('ready')))
    const [soft, hard, groups = '', bound, ambient, ...rest] = read(file).split('\n')
    expect([soft, hard]).toEqual(['64', '128'])
    expect(groups.split(' ')).toContain('44')
    expect([bound, ambient]).toEqual([`CapBnd:\t${bits(netBind)}`, `CapAmb:\t${bits(netBind)}`])
    expect(rest.map((line) => line.trim())).toEqual(['refused', 'written', String(8 * 1024), 'ready'])
    // Its control groups are version 1 on some machines, where systemd cannot enforce these: what it was told is seen.
    const unit = `default.web.v1@${name.slice('web-'.length)}.service`
    const shown = runInMachine(
      ...['systemctl', 'show', unit],
      ...['CPUQuotaPerSecUSec', 'TasksMax', 'MemorySwapMax', 'MemoryMax', 'DeviceAllow'].flatMap((one) => [
        '-p',
        one,
      ]),
    )
    expect(shown.split('\n').sort()).toEqual([
      'CPUQuotaPerSecUSec=500ms',
      'DeviceAllow=/dev/null r',
      `MemoryMax=${64 * 1024 ** 2}`,
      `MemorySwapMax=${32 * 1024 ** 2}`,
      'TasksMax=50',
    ])
    await host.done('service', 'stop', 'web')
    expect(read(`${host.dir}/out/end`)).toBe('told')
    expect(existsSync('/var/tmp/x')).toBe(false)
  })

  test('that forks without end is stopped by the limit of its user, and a neighbour goes on', async () => {
    const host = openSystemdHost()
    await host.startDaemon()
    const service = (script: string, more: string): string =>
      `compute_type: process\ncommand: [/bin/sh, -c, ${JSON.stringify(script)}]\nstop: {timeout: 0}\n${more}\n`
    await deploy(host, 'neighbour', service('exec sleep 1000', ''))
    const [before] = await host.instances('neighbour')
    const bomb = '(n=0; while [ $n -lt 500 ]; do sleep 1000 & n=$((n+1)); done); exec sleep 1000'
    await host.done(
      'service',
      'deploy',
      host.file('bomb.yml', service(bomb, 'user: games\nulimits: {nproc: 20}')),
      '--detach',
    )
    await until(async () => {
      expect((await host.done('service', 'logs', 'bomb')).stdout).toMatch(/fork/)
    })
    const [after] = await host.instances('neighbour')
    expect(after).toMatchObject({ state: 'running', startedAt: before?.startedAt })
  })
})

describe('hogs beside a neighbour', () => {
  describe('under a systemd that has the controllers', () => {
    let machine: SystemdHost
    beforeAll(async () => {
      machine = await startSystemd({ limits: true })
    })
    afterAll(async () => await machine.stop())
    const openLimitingHost = hostsOnSystemd(() => machine.handle)

    test('are held at their limits, and the neighbour answers every request', async () => {
      const host = openLimitingHost()
      await host.startDaemon()
      const neighbour = neighbourManifest(insideMachine.node, 'compute_type: process', 'ports: ["0:8080"]')
      // With version 1 systemd is not told why.
      await areHeldBeside(host, neighbour, /killed: out of memory|ended by SIGKILL/, 'compute_type: process')
    })
  })

  test('are told of where systemd lacks the controllers, and passes over their limits', async () => {
    const host = openSystemdHost()
    const daemon = await host.startDaemon()
    const limits = Object.values(hogs).map(({ limit }) => limit)
    const program = ['compute_type: process', 'command: [/bin/sleep, "1000"]', 'stop: {timeout: 0}']
    await deploy(host, 'idle', [...program, ...limits, ''].join('\n'))
    const name = (await host.instances('idle'))[0]?.name.slice('idle-'.length)
    const kept = runInMachine('systemctl', 'show', `default.idle.v1@${name}.service`, '-p', 'TasksCurrent')
    const isHeld = kept !== 'TasksCurrent=[not set]'
    const { message } = await host.sawEvent('idle', ({ kind }) => kind === 'instance-started')
    expect(message.includes('CPUQuota=, MemoryMax=, TasksMax= cannot be enforced')).toBe(!isHeld)
    expect(daemon.saidSoFar().includes('the limits of units are not enforced')).toBe(!isHeld)
  })

  test('in containers are held at their limits, and the neighbour answers every request', async () => {
    await importNode([inject('dockerSocket')])
    const host = openDockerHost()
    await host.startDaemon()
    const neighbour = neighbourManifest(insideMachine.node, `image: ${nodeImage}`, 'ports: [8080]')
    await areHeldBeside(host, neighbour, /killed: out of memory/, `image: ${testImage}`)
  })

  test('under the process driver are held at their limits, and the neighbour answers every request', async () => {
    const host = openProcessHost()
    await host.startDaemon()
    const neighbour = neighbourManifest(process.execPath, 'compute_type: process', 'ports: ["0:8080"]')
    await areHeldBeside(host, neighbour, /killed: out of memory/, 'compute_type: process')
  })
})

/** Deploys a neighbour and then one hog after the other, each by the lines that say what runs it. */
async function areHeldBeside(
  host: Host,
  neighbour: string,
  memoryEnd: RegExp,
  ...runs: readonly string[]
): Promise<void> {
  await deploy(host, 'neighbour', neighbour)
  const [before] = await host.instances('neighbour')
  if (before === undefined) throw new Error('the neighbour has no instance')
  const answers: string[] = []
  const asked = async (): Promise<void> => {
    for (let n = 0; n < 50; n++) answers.push(await ask(hostPort(before)))
  }
  await until(async () => expect(await ask(hostPort(before))).toBe('ok'))

  await forksAreHeld(async (mark) => {
    await deploy(host, 'forks', hogManifest(hogs.forks, mark, hogs.forks.limit, ...runs))
  })
  await asked()
  await cpuIsHeld(
    async (mark) => await deploy(host, 'cpu', hogManifest(hogs.cpu, mark, hogs.cpu.limit, ...runs)),
    asked,
  )
  const manifest = hogManifest(hogs.memory, randomUUID(), hogs.memory.limit, ...runs)
  await host.done('service', 'deploy', host.file('memory.yml', manifest), '--detach')
  const { message } = await host.sawEvent('memory', ({ kind }) => kind === 'instance-exited')
  expect(message).toMatch(memoryEnd)
  await asked()
  expect(answers).toEqual(Array.from({ length: 150 }, () => 'ok'))
  const [after] = await host.instances('neighbour')
  const { startedAt, restarts } = before
  expect(after).toMatchObject({ state: 'running', startedAt, restarts })
}

/** A fork bomb gets as many processes as its limit says, and no more. */
async function forksAreHeld(start: (mark: string) => Promise<unknown>): Promise<void> {
  const mark = randomUUID()
  await start(mark)
  await until(() => {
    const pid = processesOf(mark)[0] ?? 0
    expect(forksOf(pid)).toMatchObject({ limit: held.tasks })
    expect(forksOf(pid).refused).toBeGreaterThan(0)
    return Promise.resolve()
  })
  expect(processesOf(mark).length).toBeLessThanOrEqual(held.tasks)
}

/** What spins gets its share of each period, and no more, while `meanwhile` is done and for two seconds at least. */
async function cpuIsHeld(
  start: (mark: string) => Promise<unknown>,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const mark = randomUUID()
  await start(mark)
  await until(() => Promise.resolve(expect(processesOf(mark)).toHaveLength(held.spinning)))
  const pids = processesOf(mark)
  const from = cpuOf(pids)
  await meanwhile()
  await until(() => Promise.resolve(expect(cpuOf(pids).periods).toBeGreaterThan(from.periods + 20)))
  const to = cpuOf(pids)
  // A period that has begun and one that has not ended, and a tick of each process more.
  expect(to.spentMs - from.spentMs).toBeLessThanOrEqual(
    (cpuOf(pids).periods - from.periods + 2) * held.msPerPeriod + 10 * pids.length,
  )
}
