// Host ports: those that units fix, and those that the engine chooses for them.
import { spread } from '../lib/hash.js'
import type { PortBinding, Refusal } from '../model/unit.js'
import type { PortNeed } from '../unit/requirements.js'
import { type Seat, seatOf } from './seats.js'

export interface PortRange {
  readonly from: number
  readonly to: number
}

/**
 * A host port for each port that a unit publishes. A chosen port derives from `seed`, the instance's uuid, so that
 * the same view gives the same port, and clusters that share a host seldom choose alike. `taken` is a port that the
 * machine found in use by something else.
 */
export function bindPorts(
  seat: Seat,
  seed: string,
  needs: readonly PortNeed[],
  range: PortRange,
  taken: number | null,
): readonly PortBinding[] | Refusal {
  const bindings: PortBinding[] = []
  const isFree = (port: number, need: PortNeed): boolean =>
    seatOf(seat, port, need.protocol, need.ip) === null &&
    !bindings.some((binding) => binding.host === port && binding.protocol === need.protocol)
  for (const need of needs) {
    const host = need.host ?? choosePort(seed, need, range, taken, (port) => isFree(port, need))
    if (host === null) return { kind: 'ports-used-up', from: range.from, to: range.to }
    bindings.push({ ip: need.ip, host, container: need.container, protocol: need.protocol })
  }
  return bindings
}

/** Tells bindings from the reason why there are none. */
export function isBinding(result: readonly PortBinding[] | Refusal): result is readonly PortBinding[] {
  return Array.isArray(result)
}

function choosePort(
  seed: string,
  need: PortNeed,
  range: PortRange,
  taken: number | null,
  isFree: (port: number) => boolean,
): number | null {
  const size = range.to - range.from + 1
  // After the port that was taken, not from the start again: two that are taken must not be tried in turn for ever.
  const start =
    taken === null ? spread(`${seed}:${need.container}/${need.protocol}`, size) : taken + 1 - range.from
  for (let step = 0; step < size; step++) {
    const port = range.from + ((start + step) % size)
    if (isFree(port)) return port
  }
  return null
}
