// What the driver in the daemon and the supervisor say to each other: lines of JSON on a unix socket.
import type { UnitName } from '../model/unit.js'
import type { Service } from './service.js'
import type { ProcessId } from './state.js'

/** Changes with every change of the messages or of the files on disk that both sides read. */
export const protocolVersion = 1

/** A unit as the supervisor keeps it. */
export interface LoadedUnit {
  readonly name: UnitName
  readonly hash: string
  readonly service: Service
  /** What an end of the machine cuts off is not begun again. */
  readonly runsOnce?: true
  /** Variables from the placement; they win over all others. */
  readonly placed: Readonly<Record<string, string>>
}

/** A unit for those who deal with its processes themselves. */
export interface DescribedUnit {
  readonly unit: LoadedUnit
  readonly run: number
  readonly sessions: readonly ProcessId[]
}

/** A request to the supervisor. */
export type Ask =
  | { readonly verb: 'list' }
  | { readonly verb: 'load'; readonly unit: LoadedUnit }
  | { readonly verb: 'start' | 'stop' | 'unload' | 'observe' | 'describe'; readonly name: UnitName }
  /** From now on, changes are pushed on this connection. */
  | { readonly verb: 'watch' }
  /** Stops every unit; the supervisor ends after the reply. */
  | { readonly verb: 'shutdown' }

export type Request = Ask & { readonly id: number }

/** The first line of a connection, from the supervisor. */
export interface Hello {
  readonly hello: { readonly protocol: number; readonly pid: number; readonly knows?: readonly Ability[] }
}

/** What supervisors have learned since they were first made: one that does not know it would leave it out in silence. */
export type Ability = 'limits' | 'rights' | 'cgroups'
export const abilities: readonly Ability[] = ['limits', 'rights', 'cgroups']

/** What a supervisor has to know for a request, as it is refused otherwise. */
export function abilityFor(ask: Ask): Ability | null {
  if (ask.verb !== 'load') return null
  const { limits, groups, cpuPercent, tasks } = ask.unit.service
  // One that knows of these knows of the others.
  if (cpuPercent !== undefined || tasks !== undefined) return 'cgroups'
  return limits === undefined && groups === undefined ? null : 'limits'
}

/**
 * Whether a request says what programs may do. It is not refused where the supervisor does not know of that: services with a user
 * say it by default, and ran without before.
 */
export function saysRights(ask: Ask): boolean {
  if (ask.verb !== 'load') return false
  const { noNewPrivileges, bounding } = ask.unit.service
  return noNewPrivileges !== undefined || bounding !== undefined
}

/** The answer of the supervisor to a request. */
export type Reply =
  | { readonly id: number; readonly value: unknown }
  | {
      readonly id: number
      readonly error: { readonly code: string; readonly message: string; readonly permanent: boolean }
    }

/** Units whose state may have changed. */
interface Push {
  readonly changed: readonly UnitName[]
}

/** A message of the supervisor. */
export type FromSupervisor = Hello | Reply | Push

/** Cuts a stream of text into lines; keeps what has no end yet. */
export function lineSplitter(onLine: (line: string) => void): (chunk: string) => void {
  let rest = ''
  return (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  }
}
