// What makes a host's own resolver, systemd-resolved, ask the daemon for the names of the cluster, and for nothing else.

/** Where names are answered, and which. */
export interface HostNames {
  /** `127.0.0.1:8053` */
  readonly server: string
  /** `mariposa.internal` and all names below it. */
  readonly suffixes: readonly string[]
}

/** The unit of systemd, and where it belongs. */
export const hostResolverUnit = 'mariposa-dns.service'
export const hostResolverFile = `/etc/systemd/system/${hostResolverUnit}`

/** The network interface that the names are tied to, and its other end. */
const link = 'mariposa-dns'
const otherEnd = 'mariposa-dns1'

/**
 * The text of the unit. systemd-resolved asks servers of its global settings for every name, and ours would ask it in turn; the
 * servers of an interface are asked only for the domains of that interface. So there is one that carries nothing: a veth pair,
 * which NetworkManager leaves alone, with an address, as systemd-resolved ignores an interface without one.
 */
export function hostResolverText({ server, suffixes }: HostNames): string {
  const domains = suffixes.map((suffix) => `~${suffix}`).join(' ')
  return [
    '# Written by `mariposa dns setup`; `mariposa dns unset` removes it.',
    '[Unit]',
    'Description=Names of Mariposa in systemd-resolved',
    'Requires=systemd-resolved.service',
    'PartOf=systemd-resolved.service',
    'After=systemd-resolved.service',
    '',
    '[Service]',
    'Type=oneshot',
    'RemainAfterExit=yes',
    `ExecStartPre=-ip link delete ${link}`,
    `ExecStart=ip link add ${link} type veth peer name ${otherEnd}`,
    `ExecStart=ip addr add 169.254.53.53/32 dev ${link}`,
    `ExecStart=ip link set ${otherEnd} up`,
    `ExecStart=ip link set ${link} up`,
    '# systemd-resolved hears of a new interface a moment later.',
    `ExecStart=sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do resolvectl llmnr ${link} no && exit; sleep 0.5; done; exit 1'`,
    `ExecStart=resolvectl domain ${link} ${domains}`,
    `ExecStart=resolvectl default-route ${link} no`,
    '# Last, so that it is never asked for any other name.',
    `ExecStart=resolvectl dns ${link} ${server}`,
    `ExecStop=ip link delete ${link}`,
    '',
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ].join('\n')
}

/** A domain as it is written, without the dots around it; null for what is none. */
export function parseSuffix(text: string): string | null {
  const name = text.replace(/^\.|\.$/g, '').toLowerCase()
  return /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(name) ? name : null
}
