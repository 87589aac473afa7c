// Two daemons that share an etcd, each on a machine of its own: on the same host, under machine ids of their own.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { RunningProgram } from '../cli/program.js'
import { freePort } from '../free-port.js'
import { type EtcdHost, startEtcd } from '../machines/etcd-host.js'
import { type Certificates, makeCertificates } from './certificates.js'
import { programOf } from './cluster.js'
import { type Host, hostsOf } from './host.js'

export const [idA, idB] = ['a'.repeat(32), 'b'.repeat(32)] as const

export interface Pairs {
  /** Two hosts whose daemons do not run yet, on a store of their own. */
  open(): { readonly a: Host; readonly b: Host }
  /** Two whose daemons run, on TCP with certificates, each telling the other where it is. */
  openWithTls(): Promise<PairWithTls>
  /** Where `web-1` runs on the second machine, and the daemon of the first is asked. */
  openAcross(manifest: string): Promise<Across>
  /** Of the authority that both trust. */
  certificates(): Certificates
  /** What their store is on. */
  etcd(): EtcdHost
}

export interface PairWithTls {
  readonly a: Host
  readonly b: Host
  readonly portB: number
  readonly daemonB: RunningProgram
}

export interface Across {
  readonly host: Host
  readonly socketPath: string
  readonly daemons: readonly RunningProgram[]
}

export interface PairKind {
  readonly driver: string
  readonly env: Readonly<Record<string, string>>
}

const processes: PairKind = { driver: 'process', env: {} }

/** Pairs for the tests of a file; `kindOfB` says what the second machine runs, `kindOfA` what the first does. */
export function usePairs(
  kindOfB: () => PairKind = () => processes,
  kindOfA: () => PairKind = () => processes,
): Pairs {
  let etcd: EtcdHost
  let certificates: Certificates
  let opened = 0
  beforeAll(async () => {
    etcd = await startEtcd()
    certificates = makeCertificates()
  })
  afterAll(() => etcd?.stop())
  const openOn = (id: string, kind: () => PairKind) =>
    hostsOf(programOf(id), () => {
      const dir = mkdtempSync(join(tmpdir(), 'mariposa-pair-'))
      const { driver, env } = kind()
      const store = `etcd://${etcd.options.endpoints.join(',')}/pairs/${opened}`
      return {
        driver,
        // Trusted as the authorities are that the system knows.
        env: { ...env, MARIPOSA_STORE: store, NODE_EXTRA_CA_CERTS: certificates.ca },
        makeDir: () => ({ inside: dir, outside: dir }),
      }
    })
  const [openA, openB] = [openOn(idA, kindOfA), openOn(idB, kindOfB)]
  const open = (): { a: Host; b: Host } => {
    opened += 1
    return { a: openA(), b: openB() }
  }
  const openWithTls = async () => {
    const pair = open()
    const [portA, portB] = [await freePort(), await freePort()]
    await pair.a.startDaemon(...listeningWithTls(certificates, portA))
    const daemonB = await pair.b.startDaemon(...listeningWithTls(certificates, portB))
    return { ...pair, portB, daemonB }
  }
  const openAcross = async (manifest: string): Promise<Across> => {
    const { a, b } = open()
    const listening = async (): Promise<readonly string[]> => {
      const address = `127.0.0.1:${await freePort()}`
      return ['--insecure-listen', '--listen', `tcp://${address}`, '--advertise', `http://${address}`]
    }
    const daemons = [await a.startDaemon(...(await listening())), await b.startDaemon(...(await listening()))]
    await a.done('machine', 'cordon', idA)
    await a.done('service', 'deploy', a.file('web.yml', manifest))
    return { host: a, socketPath: a.socketPath, daemons }
  }
  return { open, openWithTls, openAcross, certificates: () => certificates, etcd: () => etcd }
}

function listeningWithTls({ ca, cert, key }: Certificates, port: number): readonly string[] {
  const tls = ['--tls-ca-file', ca, '--tls-cert-file', cert, '--tls-key-file', key]
  return [...tls, '--listen', `tcp://127.0.0.1:${port}`, '--advertise', `https://127.0.0.1:${port}`]
}
