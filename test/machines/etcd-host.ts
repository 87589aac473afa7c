// Real etcd for tests: one member or several on free ports of the loopback, each to be killed and started again.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EtcdStoreOptions, probeEtcd } from '../../src/store/io/etcd/etcd.js'
import { freePort } from '../free-port.js'
import { removeDir } from '../remove-dir.js'

export interface EtcdHost {
  /** What a store needs to use it. */
  readonly options: EtcdStoreOptions
  readonly members: readonly EtcdMember[]
  /** Runs etcdctl against all members and returns what it printed. */
  ctl(...args: readonly string[]): string
  /** The same as etcd's root, where there is a login. */
  rootCtl(...args: readonly string[]): string
  /** Gives the user of the login another password. */
  changePassword(password: string): void
  /** Where certificates and keys lie, with TLS. */
  readonly certificates: string | null
  /** Makes them anew, by another authority if told so. */
  renewCertificates(authority: 'same' | 'another'): void
  /** What a snapshot needs to be restored as the first member under its own name, as the etcd that it was. */
  readonly restoreAs: readonly string[]
  /** Resolves when it answers. */
  answers(): Promise<void>
  stop(): Promise<void>
}

export interface EtcdMember {
  readonly address: string
  readonly port: number
  kill(): Promise<void>
  /** Stops it where it is, so that its connections stay open and silent. */
  freeze(): void
  thaw(): void
  /** On another data directory, if one is given. */
  start(dataDir?: string): void
}

export interface EtcdHostOptions {
  readonly members?: 1 | 3
  /** Clients speak TLS and show a certificate. */
  readonly tls?: boolean
  /** Only this user gets in. */
  readonly login?: { readonly name: string; readonly password: string }
  /** How large its data may become. */
  readonly quotaBytes?: number
}

/** Starts etcd; resolves when it answers. */
export async function startEtcd({
  members: count = 1,
  tls = false,
  login,
  quotaBytes,
}: EtcdHostOptions = {}): Promise<EtcdHost> {
  const dir = mkdtempSync(join(tmpdir(), 'etcd-'))
  const certificates = tls ? makeCertificates(dir) : null
  const ports = await freePorts(2 * count)
  const peers = ports.slice(count)
  const members = ports
    .slice(0, count)
    .map((port, at) =>
      openMember(dir, { at, port, peers, certificates: certificates?.dir ?? null, quotaBytes }),
    )
  for (const member of members) member.start()
  const anonymous: EtcdStoreOptions = {
    endpoints: members.map((member) => member.address),
    prefix: '/mariposa/',
    tls: certificates,
    login: null,
    requestTimeoutMs: 3000,
  }
  const ctlAs =
    (who: EtcdHostOptions['login']) =>
    (...args: readonly string[]): string =>
      execFileSync('etcdctl', [...ctlArgs(anonymous, certificates?.dir ?? null, who), ...args], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], ETCDCTL_API: '3' },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
  await untilAnswers(anonymous)
  if (login !== undefined) requireLogin(anonymous, certificates?.dir ?? null, login)
  const options = { ...anonymous, login: login ?? null }
  return {
    options,
    members,
    ctl: ctlAs(login),
    rootCtl: ctlAs(login && { name: 'root', password: 'root' }),
    changePassword: (password) => {
      const args = ctlArgs(anonymous, certificates?.dir ?? null, { name: 'root', password: 'root' })
      execFileSync('etcdctl', [...args, 'user', 'passwd', login?.name ?? '', '--interactive=false'], {
        env: { PATH: process.env['PATH'], ETCDCTL_API: '3' },
        input: `${password}\n`,
        stdio: ['pipe', 'ignore', 'pipe'],
      })
    },
    certificates: certificates?.dir ?? null,
    renewCertificates: (authority) => {
      writeCertificates(dir, authority)
    },
    restoreAs: [
      ['--name', 'm0'],
      ['--initial-cluster', `m0=http://127.0.0.1:${peers[0]}`],
      ['--initial-advertise-peer-urls', `http://127.0.0.1:${peers[0]}`],
    ].flat(),
    answers: () => untilAnswers(options),
    stop: async () => {
      await Promise.all(members.map((member) => member.kill()))
      removeDir(dir)
    },
  }
}

async function untilAnswers(options: EtcdStoreOptions): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    try {
      await probeEtcd(options)
      return
    } catch {
      // Not yet.
    }
  }
  throw new Error('etcd does not answer')
}

interface MemberPlace {
  readonly at: number
  readonly port: number
  readonly peers: readonly number[]
  readonly certificates: string | null
  readonly quotaBytes: number | undefined
}

function openMember(dir: string, { at, port, peers, certificates, quotaBytes }: MemberPlace): EtcdMember {
  const scheme = certificates === null ? 'http' : 'https'
  const client = `${scheme}://127.0.0.1:${port}`
  const peerOf = (one: number): string => `http://127.0.0.1:${one}`
  const args = [
    ['--name', `m${at}`],
    ['--listen-client-urls', client],
    ['--advertise-client-urls', client],
    ['--listen-peer-urls', peerOf(peers[at] ?? 0)],
    ['--initial-advertise-peer-urls', peerOf(peers[at] ?? 0)],
    ['--initial-cluster', peers.map((peer, of) => `m${of}=${peerOf(peer)}`).join(',')],
    ...(quotaBytes === undefined ? [] : [['--quota-backend-bytes', String(quotaBytes)]]),
    ...(certificates === null
      ? []
      : [
          ['--cert-file', join(certificates, 'server.crt')],
          ['--key-file', join(certificates, 'server.key')],
          ['--trusted-ca-file', join(certificates, 'ca.crt')],
          ['--client-cert-auth'],
        ]),
  ].flat()
  let running: ChildProcess | null = null
  return {
    address: `127.0.0.1:${port}`,
    port,
    start: (dataDir = join(dir, `m${at}`)) => {
      running = spawn('etcd', [...args, '--data-dir', dataDir], {
        stdio: 'ignore',
        env: { PATH: process.env['PATH'] },
      })
    },
    kill: async () => {
      const ending = running
      running = null
      if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return
      const ended = new Promise((resolve) => ending.once('exit', resolve))
      ending.kill('SIGKILL')
      await ended
    },
    freeze: () => running?.kill('SIGSTOP'),
    thaw: () => running?.kill('SIGCONT'),
  }
}

function ctlArgs(
  { endpoints }: EtcdStoreOptions,
  certificates: string | null,
  login: EtcdHostOptions['login'],
): readonly string[] {
  const scheme = certificates === null ? 'http' : 'https'
  return [
    `--endpoints=${endpoints.map((endpoint) => `${scheme}://${endpoint}`).join(',')}`,
    ...(certificates === null
      ? []
      : [
          `--cacert=${join(certificates, 'ca.crt')}`,
          `--cert=${join(certificates, 'client.crt')}`,
          `--key=${join(certificates, 'client.key')}`,
        ]),
    ...(login === undefined ? [] : [`--user=${login.name}:${login.password}`]),
  ]
}

/** Makes the user, who may use the prefix alone, and closes etcd to everybody else. */
function requireLogin(
  options: EtcdStoreOptions,
  certificates: string | null,
  { name, password }: { readonly name: string; readonly password: string },
): void {
  for (const line of [
    'user add root:root',
    'user grant-role root root',
    'role add mariposa',
    `role grant-permission mariposa --prefix=true readwrite ${options.prefix}`,
    `user add ${name}:${password}`,
    `user grant-role ${name} mariposa`,
    'auth enable',
  ]) {
    execFileSync('etcdctl', [...ctlArgs(options, certificates, undefined), ...line.split(' ')], {
      env: { PATH: process.env['PATH'], ETCDCTL_API: '3' },
      stdio: 'ignore',
    })
  }
}

interface Certificates {
  readonly dir: string
  readonly authority: Buffer
  readonly certificate: Buffer
  readonly key: Buffer
}

/** An authority, and a certificate each for etcd and its clients. */
function makeCertificates(dir: string): Certificates {
  writeCertificates(dir, 'another')
  const read = (name: string): Buffer => readFileSync(join(dir, name))
  return { dir, authority: read('ca.crt'), certificate: read('client.crt'), key: read('client.key') }
}

function writeCertificates(dir: string, authority: 'same' | 'another'): void {
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { cwd: dir, stdio: 'ignore' })
  }
  const make = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'.split(' ')
  if (authority === 'another')
    openssl(...make, '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=test authority')
  for (const name of ['server', 'client']) {
    const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-subj', `/CN=${name}`]
    const usage = [
      '-addext',
      'subjectAltName=IP:127.0.0.1,DNS:localhost',
      '-addext',
      'basicConstraints=CA:FALSE',
    ]
    openssl(...make, ...signed, ...usage, '-keyout', `${name}.key`, '-out', `${name}.crt`)
  }
}

async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await freePort())
  return [...ports]
}
