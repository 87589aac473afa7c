// The DNS server of a daemon: the addresses that it answers on. One that cannot be had now is tried again, and keeps
// nothing else from working.
import { statSync } from 'node:fs'
import { describeError, type Log } from '../../lib/io/log.js'
import { readTextFile } from '../../lib/io/text-file.js'
import type { Time, Timer } from '../../lib/time.js'
import type { CnsSuffixes } from '../../manifest/cns.js'
import type { NameIndex } from '../name-index.js'
import { type DnsAddress, othersOf, resolversIn } from '../resolv-conf.js'
import { AnswerCache } from './answer-cache.js'
import { Forwarder } from './forward.js'
import { type Door, openDoor, type Respond } from './listener.js'
import { type Cidr, OurNetworks } from './networks.js'
import { holderOf } from './port-holder.js'
import { type Responder, respond } from './respond.js'

/** What a DNS server is started with. */
export interface DnsOptions {
  readonly addresses: readonly DnsAddress[]
  /** Whether somebody asked for these addresses: then it is told who holds one that is taken. */
  readonly isAsked: boolean
  /** Who is asked for other names; null: the resolvers of the host. */
  readonly upstream: readonly DnsAddress[] | null
  /** Who else may ask. */
  readonly allow: readonly Cidr[]
}

interface DnsTools {
  readonly names: NameIndex
  readonly isComplete: Responder['isComplete']
  readonly suffixes: CnsSuffixes
  readonly clock: Time
  readonly random: () => number
  readonly log: Log
  /** The file that names the resolvers of the host. */
  readonly resolvConf: string
}

export interface DnsServer {
  /** What it answers on now. */
  endpoints(): readonly DnsAddress[]
  /** Who is asked for names that are not ours. */
  upstream(): readonly DnsAddress[]
  /**
   * Answers on the gateway of a network of containers from now on; whether that can be had. Where addresses were asked
   * for, it answers on those alone.
   */
  serve(gateway: DnsAddress, network: Cidr): Promise<boolean>
  close(): Promise<void>
}

/** How long until an address that could not be had is tried again. */
const tryAgainMs = 10_000
/** How long the resolvers of the host are taken to be as they were. */
const lookAgainMs = 2000

/** Begins to answer. Resolves when each address was tried once. */
export async function startDnsServer(options: DnsOptions, tools: DnsTools): Promise<DnsServer> {
  const { clock, log, resolvConf } = tools
  const networks = new OurNetworks(options.allow, clock)
  const doors = new Map<DnsAddress, Door>()
  const timers = new Map<DnsAddress, Timer>()
  let isClosed = false
  const endpoints = (): readonly DnsAddress[] => [...doors.values()].map(({ address }) => address)
  const host = hostResolvers(resolvConf, clock)
  const upstream = (): readonly DnsAddress[] =>
    othersOf(options.upstream ?? host(), endpoints(), (address) => networks.isOwn(address))
  const forwarder = new Forwarder(upstream, clock)
  const responder: Responder = { ...tools, networks, forwarder, answers: new AnswerCache() }
  const answer: Respond = (packet, from, transport) => {
    try {
      return respond(responder, packet, from, transport)
    } catch (error) {
      log.error('dns', `cannot answer a query from ${from}: ${describeError(error)}`)
      return null
    }
  }
  const gateways = new Map<string, Promise<void>>()
  const open = async (address: DnsAddress, isFirst: boolean): Promise<void> => {
    try {
      const door = await openDoor(address, answer)
      if (isClosed) return await door.close()
      doors.set(address, door)
      if (!isFirst) log.info('dns', 'listening again', { address: describeAddress(door.address) })
    } catch (error) {
      if (isFirst) await tellWhy(address, error)
      if (isClosed) return
      const again = (): void => {
        open(address, false).catch((failure: unknown) => log.error('dns', describeError(failure)))
      }
      timers.set(address, clock.after(tryAgainMs, again).unref())
    }
  }
  /** Where nobody asked for it, another daemon of the same machine is no news. */
  const tellWhy = async (address: DnsAddress, error: unknown): Promise<void> => {
    const where = describeAddress(address)
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    if (!options.isAsked && !gateways.has(where)) {
      log.info('dns', `not listening on ${where}: ${isTaken ? 'address in use' : describeError(error)}`)
      return
    }
    const holder = isTaken ? ((await holderOf(address.port)) ?? 'another program') : ''
    const why = isTaken ? `${holder} holds it` : describeError(error)
    log.warn('dns', `cannot listen on ${where}: ${why}; retrying every ${tryAgainMs / 1000} s`)
  }
  await Promise.all(options.addresses.map((address) => open(address, true)))
  const answersAt = ({ host: wanted, port }: DnsAddress): boolean =>
    endpoints().some((one) => one.port === port && (one.host === wanted || one.host === '0.0.0.0'))
  return {
    endpoints,
    upstream,
    serve: async (gateway, network) => {
      if (options.isAsked) return answersAt(gateway)
      networks.add(network)
      const where = describeAddress(gateway)
      const opening = gateways.get(where) ?? Promise.resolve().then(() => open(gateway, true))
      gateways.set(where, opening)
      await opening
      return answersAt(gateway)
    },
    close: async () => {
      isClosed = true
      for (const timer of timers.values()) timer.cancel()
      forwarder.close()
      await Promise.all([...doors.values()].map((door) => door.close()))
    },
  }
}

/** `10.0.0.1:53`, `[::1]:53`. */
export function describeAddress({ host, port }: DnsAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The resolvers that a file names, read anew when it has changed. */
function hostResolvers(file: string, clock: Time): () => readonly DnsAddress[] {
  let known: {
    readonly at: number
    readonly changedAt: number
    readonly list: readonly DnsAddress[]
  } | null = null
  return () => {
    const at = clock.steady()
    if (known !== null && at - known.at < lookAgainMs) return known.list
    const changedAt = changeOf(file)
    if (known === null || known.changedAt !== changedAt) known = { at, changedAt, list: listIn(file) }
    else known = { ...known, at }
    return known.list
  }
}

function changeOf(file: string): number {
  try {
    return statSync(file).mtimeMs
  } catch {
    return 0
  }
}

function listIn(file: string): readonly DnsAddress[] {
  try {
    return resolversIn(readTextFile(file))
  } catch {
    return []
  }
}
