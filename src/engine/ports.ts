// Host ports: those that units fix, and those that the engine chooses for them.
import { spread } from '../lib/hash.js'
import type { PortBinding } from '../model/unit.js'
import type { PortNeed } from '../unit/requirements.js'
import { holderOf } from './state/machines.js'
import type { MachineState, UnitState } from './state/model.js'

/** The ports that the engine gives out where a unit leaves the choice to it: below Linux's ephemeral range. */
export const assignedPorts = { from: 20_000, to: 29_999 } as const

/**
 * Host ports for all members of a group on a machine where their fixed ports are free; null when there are not enough
 * to choose from. A chosen port derives from the instance's uuid, so that the same view gives the same port, and
 * clusters that share a host seldom choose alike.
 */
export function bindPorts(
  machine: MachineState,
  members: readonly UnitState[],
): readonly (readonly PortBinding[])[] | null {
  const all: PortBinding[] = []
  const perMember: PortBinding[][] = []
  for (const member of members) {
    const bindings: PortBinding[] = []
    for (const need of member.eqClass.requirements.needs.ports) {
      const host = need.host ?? choosePort(machine, member, need, all)
      if (host === null) return null
      const binding = { ip: need.ip, host, container: need.container, protocol: need.protocol }
      bindings.push(binding)
      all.push(binding)
    }
    perMember.push(bindings)
  }
  return perMember
}

function choosePort(
  machine: MachineState,
  { spec, cause }: UnitState,
  need: PortNeed,
  given: readonly PortBinding[],
): number | null {
  const { from, to } = assignedPorts
  const size = to - from + 1
  const seed = spec.instance?.uuid ?? spec.name
  // After the port that was taken, not from the start again: two that are taken must not be tried in turn for ever.
  const start =
    cause.kind === 'port-taken'
      ? cause.port + 1 - from
      : spread(`${seed}:${need.container}/${need.protocol}`, size)
  for (let step = 0; step < size; step++) {
    const host = from + ((start + step) % size)
    const isFree =
      holderOf(machine, host, need.protocol, need.ip) === null &&
      !given.some((binding) => binding.host === host && binding.protocol === need.protocol)
    if (isFree) return host
  }
  return null
}
