// The ports that the machine needs itself: the entry leads none of them on.
import type { OwnPorts } from '../entry/haproxy.js'
import type { DaemonOptions } from './options.js'

/** Where etcd's members find each other, unless they are told otherwise. */
const peersOfEtcd = 2380

/** The ports that the daemon's own options and the addresses of its store name, with what each is for. */
export function ownPortsOf({
  store,
  listen,
  triggerListen,
  dns,
}: Pick<DaemonOptions, 'store' | 'listen' | 'triggerListen' | 'dns'>): OwnPorts {
  const endpoints = store.kind === 'etcd' ? store.endpoints : []
  const named: readonly (readonly [number, string])[] = [
    ...dns.addresses.map(({ port }) => [port, 'the names of --dns'] as const),
    ...triggerListen.flatMap((at) => (at.kind === 'tcp' ? [[at.port, 'the trigger URLs'] as const] : [])),
    ...listen.flatMap((at) => (at.kind === 'tcp' ? [[at.port, "the daemon's API"] as const] : [])),
    ...(endpoints.length > 0 ? [[peersOfEtcd, 'the members of etcd'] as const] : []),
    ...endpoints.map((at) => [Number(at.slice(at.lastIndexOf(':') + 1)), 'the store (etcd)'] as const),
  ]
  return Object.fromEntries(named.filter(([port]) => port > 0).map(([port, use]) => [`${port}`, use]))
}
