// Networks of the host's own for machines of tests.
import { execFileSync } from 'node:child_process'

/**
 * The first of `count` networks, from `wanted` on, that no interface of the host is on. What is wanted derives from a
 * process id, so that two processes seldom want the same; ids are more than there are networks.
 */
export function freeSubnet(count: number, wanted: number, netOf: (subnet: number) => string): number {
  const addresses = execFileSync('ip', ['-4', '-oneline', 'address'], { encoding: 'utf8' })
  for (let step = 0; step < count; step++) {
    const subnet = (wanted + step) % count
    if (!addresses.includes(` ${netOf(subnet)}.`)) return subnet
  }
  throw new Error(`${count} networks are in use already`)
}
