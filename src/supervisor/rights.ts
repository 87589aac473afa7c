// What a program may do beside what its user may: setpriv(1)'s words for it.
import type { CapabilitySet } from '../model/capability.js'
import type { Service } from './service.js'

export type Rights = Pick<Service, 'noNewPrivileges' | 'bounding'>

/**
 * The options of setpriv for a program; none where there is nothing to be set. Only root can shrink a bounding set; for a
 * program of another supervisor that gets no new privileges there is nothing left to shrink, as it has and gets none.
 */
export function rightsOptions({ noNewPrivileges, bounding }: Rights, isRoot: boolean): readonly string[] {
  const held = noNewPrivileges === true ? ['--no-new-privs'] : []
  const shrunk = shrinks(bounding) && isRoot ? [`--bounding-set=${printSet(bounding)}`] : []
  return [...held, ...shrunk]
}

/** Whether a supervisor that is not root would have to leave something out. */
export function takesRoot({ noNewPrivileges, bounding }: Rights): boolean {
  return shrinks(bounding) && noNewPrivileges !== true
}

function shrinks(bounding: CapabilitySet | undefined): bounding is CapabilitySet {
  return bounding !== undefined && (bounding.kind === 'only' || bounding.names.length > 0)
}

function printSet({ kind, names }: CapabilitySet): string {
  const listed = names.map((name) => `${kind === 'only' ? '+' : '-'}${name.toLowerCase()}`)
  return [...(kind === 'only' ? ['-all'] : []), ...listed].join(',')
}
