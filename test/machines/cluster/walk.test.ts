// docs/cluster.md, followed: three bare machines become a cluster by its commands, as they stand there, are restored from
// a snapshot, and one of them gets another name and address.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf, root } from '../../docs/pages.js'
import { removeDir } from '../../remove-dir.js'
import { ensureBase, type Machine, runInside, startMachine } from '../nspawn.js'
import { addBridge, type Bridge } from './bridge.js'

/** The block of the page that says something. Throws where that is not one block. */
function block(language: string, says: string): string {
  const [found, ...more] = blocksOf('docs/cluster.md', language).filter((text) => text.includes(says))
  if (found === undefined || more.length > 0) throw new Error(`not one block of docs/cluster.md says ${says}`)
  return found
}

/** What a block says on machine `n`: where it names the first machine, but for the lines that name all of them. */
function on(n: number, text: string): string {
  const own = (line: string): string =>
    line
      .replaceAll('10.0.0.1', `10.0.0.${n}`)
      .replaceAll('machine1', `machine${n}`)
      .replaceAll('etcd1', `etcd${n}`)
  return text
    .split('\n')
    .map((line) => (line.includes('10.0.0.2') ? line : own(line)))
    .join('\n')
}

/** What Debian's packages would bring, where the machines have no network to fetch them from. */
const etcdPackage = {
  '/usr/bin/etcd': '/usr/bin/etcd',
  '/usr/bin/etcdctl': '/usr/bin/etcdctl',
  '/lib/systemd/system/etcd.service': '/etc/systemd/system/etcd.service',
}

const numbers = [1, 2, 3] as const
let dir: string
let bridge: Bridge
const machines: Machine[] = []

/** Runs commands on a machine, as root in root's home. */
async function sh(n: number, text: string): Promise<string> {
  const machine = machines[n - 1]
  if (machine === undefined) throw new Error(`no machine ${n}`)
  const { code, stdout, stderr } = await runInside(machine, ['sh', '-ec', `cd /root\n${text}`])
  if (code !== 0) throw new Error(`machine ${n}: exit ${code}\n${text}\n${stdout}\n${stderr}`)
  return stdout
}

const everywhere = (text: string): Promise<readonly string[]> =>
  Promise.all(numbers.map((n) => sh(n, on(n, text))))

/** Puts a file of the host on a machine's disk. */
function put(n: number, path: string, from: string): void {
  const disk = machines[n - 1]?.disk ?? ''
  mkdirSync(join(disk, path, '..'), { recursive: true })
  copyFileSync(from, join(disk, path))
}

function write(n: number, path: string, text: string): void {
  const from = join(dir, 'text')
  writeFileSync(from, text)
  put(n, path, from)
}

function onHost(text: string): void {
  execFileSync('sh', ['-ec', text], { cwd: dir, stdio: 'pipe' })
}

beforeAll(async () => {
  await ensureBase()
  dir = mkdtempSync(join(tmpdir(), 'walk-'))
  bridge = addBridge()
  const started = numbers.map((n) =>
    startMachine({
      name: `north${n}`,
      bridge: bridge.name,
      binds: etcdPackage,
      furnish: (disk) => furnish(disk, `10.0.0.${n}`),
    }),
  )
  machines.push(...(await Promise.all(started)))
})

afterAll(async () => {
  await Promise.all(machines.map((machine) => machine.remove()))
  bridge?.remove()
  removeDir(dir)
})

/** A network address, as every machine has one before anything else. */
function furnish(disk: string, address: string): void {
  const units = join(disk, 'etc/systemd/system')
  const text = `[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/usr/sbin/ip link set host0 up\nExecStart=/usr/sbin/ip address replace ${address}/24 dev host0\n`
  writeFileSync(join(units, 'address.service'), text)
  writeFileSync(join(disk, 'etc/hosts'), '127.0.0.1 localhost\n')
  symlinkSync('../address.service', join(units, 'multi-user.target.wants/address.service'))
}

describe('docs/cluster.md, followed', () => {
  test('the program is unpacked on every machine', async () => {
    const project = join(dir, 'project')
    mkdirSync(project)
    const list = ['ls', '--omit=dev', '--all', '--parseable']
    const modules = execFileSync('npm', list, { cwd: root, encoding: 'utf8' }).trim().split('\n').slice(1)
    for (const part of ['package.json', 'dist', 'schemas', ...modules.map((path) => relative(root, path))]) {
      cpSync(join(root, part), join(project, part), { recursive: true, dereference: false })
    }
    const [, pack = ''] = block('sh', 'tar -czf').trim().split('\n')
    onHost(`cd project\n${pack}`)
    for (const n of numbers) put(n, 'root/mariposa.tar.gz', join(project, 'mariposa.tar.gz'))
    const versions = await everywhere(block('sh', 'tar -xzf'))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    expect(versions).toEqual(numbers.map(() => `${version}\n`))
  })

  test('each machine has a certificate of an authority of their own', async () => {
    const authority = block('sh', 'openssl req -x509')
    onHost(authority)
    const [variable = ''] = authority.split('\n')
    for (const n of numbers) {
      certify(n, variable)
    }
    await everywhere(block('sh', 'chmod 600 /etc/mariposa/machine.key'))
  })

  test('etcd has three members and a user', async () => {
    await everywhere('useradd --system --home-dir /var/lib/etcd --create-home etcd\nsystemctl start etcd')
    const prepare = block('sh', 'apt-get install').replace(/^apt-get .*\n/, '')
    await everywhere(prepare)
    for (const n of numbers) write(n, 'etc/default/etcd', on(n, block('sh', 'ETCD_NAME=')))
    await everywhere(block('sh', 'systemctl enable --now etcd'))
    await sh(1, block('sh', 'etcdctl role add mariposa'))
    const password = await sh(1, 'cat /etc/mariposa/etcd-password')
    for (const n of [2, 3]) {
      write(n, 'etc/mariposa/etcd-password', password)
      await sh(n, 'chmod 600 /etc/mariposa/etcd-password')
    }
  })

  test('the daemons find each other', async () => {
    for (const n of numbers) {
      write(n, 'etc/systemd/system/mariposa.service', block('ini', 'ExecReload'))
      write(n, 'etc/mariposa/mariposa.yml', on(n, block('yaml', 'etcd-password-file')))
    }
    await everywhere('systemd-analyze verify /etc/systemd/system/mariposa.service')
    await everywhere(block('sh', 'systemctl enable --now mariposa'))
    for (const n of numbers) await machinesAre(n, ['north1 up', 'north2 up', 'north3 up'])
  })

  test('a service runs on all of them, and any of them has its logs', async () => {
    write(
      1,
      'root/web.yml',
      'compute_type: process\ncommand: [/bin/sh, -c, "echo I am up; exec sleep 100000"]\n',
    )
    await sh(1, 'mariposa service deploy web.yml --scale 3')
    expect(await allPrograms()).toBe(3)
    for (const n of numbers) {
      await expect
        .poll(() => sh(n, 'mariposa service logs web'), { timeout: 30_000 })
        .toMatch(/(?:.*I am up\n){3}/)
    }
  })

  test('a snapshot brings back what was there', async () => {
    await sh(1, `${etcdRoot()}\n${block('sh', 'etcdctl snapshot save')}`)
    const snapshot = join(machines[0]?.disk ?? '', 'root/mariposa.db')
    for (const n of [2, 3]) put(n, 'root/mariposa.db', snapshot)
    await sh(1, 'mariposa service delete web --force')
    expect(await allPrograms()).toBe(0)
    await everywhere('systemctl stop etcd')
    await everywhere(block('sh', '--initial-cluster-token restored'))
    await expect.poll(allPrograms, { timeout: 60_000 }).toBe(3)
  })

  test('a machine gets another name and another address', async () => {
    const before = await programs(3)
    expect(before).toHaveLength(1)
    await sh(1, `${etcdRoot()}\n${indented('etcdctl member update')}`)
    const [variable = ''] = block('sh', 'openssl req -x509').split('\n')
    certify(3, variable, 4)
    await sh(
      3,
      block('sh', 'apt-get install')
        .split('\n')
        .filter((line) => line.startsWith('install -o'))
        .join('\n'),
    )
    const move = indented('systemctl stop mariposa etcd')
    const given =
      'hostnamectl set-hostname south3\nip address flush dev host0\nip address add 10.0.0.4/24 dev host0'
    await sh(3, move.replace(/^# now give it.*$/m, given))
    await machinesAre(3, ['north1 up', 'north2 up', 'south3 up'])
    await machinesAre(1, ['north1 up', 'north2 up', 'south3 up'])
    expect(await programs(3)).toEqual(before)
    // The daemons that stayed reach the one that moved.
    await expect
      .poll(() => sh(1, 'mariposa service logs web'), { timeout: 30_000 })
      .toMatch(/(?:.*I am up\n){3}/)
  })
})

/** Makes a machine its certificate on the host, for its address or another, and puts it in its place. */
function certify(n: number, variable: string, address = n): void {
  const text = on(n, block('sh', 'openssl x509 -req')).replace(`10.0.0.${n}`, `10.0.0.${address}`)
  onHost(`${variable}\n${text}`)
  for (const file of ['ca.crt', 'machine.crt', 'machine.key']) put(n, `etc/mariposa/${file}`, join(dir, file))
}

/** The page's lines that make `etcdctl` a client of etcd as its root. */
function etcdRoot(): string {
  return `${block('sh', 'etcdctl role add mariposa')}\n${block('sh', 'export ETCDCTL_USER')}`
    .split('\n')
    .filter((line) => line.startsWith('export'))
    .join('\n')
}

/** A block that stands in a list. */
function indented(says: string): string {
  const text = readFileSync(join(root, 'docs/cluster.md'), 'utf8')
  const [found] = [...text.matchAll(/^ {2}```sh\n(.*?)^ {2}```/gms)]
    .map((match) => match[1] ?? '')
    .filter((one) => one.includes(says))
  if (found === undefined) throw new Error(`no block of docs/cluster.md says ${says}`)
  return found.replace(/^ {2}/gm, '')
}

/** Resolves when a machine's daemon shows all machines so. */
async function machinesAre(n: number, wanted: readonly string[]): Promise<void> {
  const shown = async () => {
    const text = await sh(n, 'mariposa machine list --json').catch(String)
    if (!text.startsWith('[')) return text
    const list = JSON.parse(text) as readonly { hostname: string; state: string }[]
    return list.map(({ hostname, state }) => `${hostname} ${state}`).sort()
  }
  await expect.poll(shown, { timeout: 60_000 }).toEqual(wanted)
}

async function allPrograms(): Promise<number> {
  return (await Promise.all(numbers.map(programs))).flat().length
}

/** The programs of the service that run on a machine, by their process ids. */
async function programs(n: number): Promise<readonly string[]> {
  const text = await sh(n, 'pgrep --exact sleep || true')
  return text.split('\n').filter((line) => line !== '')
}
