// What the words after `npm run simulate --` may say of numbers and names, and what goes together.

/** What cannot be done as asked; the message is one line for people. */
export class BadOptions extends Error {}

interface Times {
  readonly minutes?: string | undefined
  readonly hours?: string | undefined
  readonly days?: string | undefined
  readonly busy?: string | undefined
  readonly seed?: string | undefined
  readonly seeds?: string | undefined
  readonly scenario?: string | undefined
}

/** For how long seeds are run, and how long each of them is. */
export interface Spans {
  /** Of virtual time, with operators and faults. */
  readonly busyMs: number
  /** Of real time; infinite where something else says when it ends. */
  readonly forMs: number
  /** Of virtual time, of all seeds together. */
  readonly daysMs: number
}

const minuteMs = 60_000
const dayMs = 86_400_000

/** Throws BadOptions. `--days` are those of one seed, or of all together where there are several. */
export function spansOf({ minutes, hours, days, busy, seed, seeds, scenario }: Times): Spans {
  if (scenario !== undefined) refuseBoth({ '--scenario': scenario, '--days': days })
  refuseBoth({ '--minutes': minutes, '--hours': hours })
  refuseBoth({ '--seeds': seeds, '--days': days })
  refuseBoth({ '--seed': seed, '--seeds': seeds })
  const daysMs = days === undefined ? null : dayMs * numberOf('--days', days)
  const isOne = seed !== undefined
  if (isOne) refuseBoth({ '--busy': busy, '--days': days })
  const realMs =
    hours !== undefined
      ? 60 * minuteMs * numberOf('--hours', hours)
      : minutes !== undefined
        ? minuteMs * numberOf('--minutes', minutes)
        : null
  return {
    busyMs: isOne && daysMs !== null ? daysMs : minuteMs * numberOf('--busy', busy ?? '30'),
    // A number of seeds or of days is the end by itself, a minute is where nothing is said.
    forMs: realMs ?? (seeds === undefined && daysMs === null ? minuteMs : Number.POSITIVE_INFINITY),
    daysMs: isOne || daysMs === null ? Number.POSITIVE_INFINITY : daysMs,
  }
}

/** A number above 0. */
export function numberOf(option: string, text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0)
    throw new BadOptions(`${option} takes a number above 0, not "${text}"`)
  return value
}

/** A whole number, from 0 on. */
export function wholeNumberOf(option: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new BadOptions(`${option} takes a whole number, not "${text}"`)
  return Number(text)
}

/** One of the names that there are. */
export function nameOf<N extends string>(option: string, text: string, names: readonly N[]): N {
  const name = names.find((one) => one === text)
  if (name === undefined) throw new BadOptions(`${option}: there is no "${text}", of ${names.join(', ')}`)
  return name
}

function refuseBoth(options: Readonly<Record<string, string | undefined>>): void {
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (given.length > 1) throw new BadOptions(`${given.join(' and ')} do not go together`)
}
