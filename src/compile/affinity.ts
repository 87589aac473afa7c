// Affinity rules on their way into a unit. What fleet's options say exactly becomes one of those, so that a unit reads
// as any other of fleet's; all other rules become [X-Mariposa] Affinity= lines.
import type { AffinityRule } from '../manifest/schema.js'
import type { UnitOption } from '../unit/parse.js'

interface PlacedRules {
  /** The options of `[X-Fleet]`. */
  readonly fleet: readonly UnitOption[]
  /** The rules that fleet has no words for. */
  readonly others: readonly AffinityRule[]
}

/** Parts the rules of a service of `project`. */
export function placeRules(rules: readonly AffinityRule[], project: string): PlacedRules {
  const fleet: UnitOption[] = []
  const others: AffinityRule[] = []
  for (const rule of rules) {
    const options = rule.by === undefined ? fleetOptions(rule, project) : null
    // Of two values of one key fleet takes either, where two rules ask for both.
    if (options === null || options.some((option) => asksForOther(fleet, option))) others.push(rule)
    else fleet.push(...options.filter((option) => !fleet.some((other) => isSame(other, option))))
  }
  return { fleet, others }
}

/** The rule in fleet's words; null where it has none that say the same. */
function fleetOptions({ key, operator, value }: AffinityRule, project: string): UnitOption[] | null {
  if (operator === '!=' && (key === 'service' || key === 'instance')) {
    const names = key === 'service' ? serviceUnits(value) : instanceUnits(value)
    return names === null ? null : names.map((name) => optionOf('Conflicts', `${project}.${name}.service`))
  }
  const machineKey = /^machine\.([A-Za-z0-9_.-]+)$/.exec(key)?.[1]
  if (operator !== '==' || machineKey === undefined || !/^[A-Za-z0-9_.:-]+$/.test(value)) return null
  return [optionOf('MachineMetadata', `${machineKey}=${value}`)]
}

/** The units of the services that a name or glob stands for, as patterns; null for what is neither. */
function serviceUnits(value: string): readonly string[] | null {
  return /^[a-z0-9*-]+$/.test(value) ? [`${value}.v*@*`] : null
}

/**
 * The units of the instances that a name (`web-3`) or a glob with its star at the end stands for, as patterns. `web-1*`
 * is web-1 and web-10, and every instance of web-1a or web-1-b. Null for what may stand for an instance's uuid too,
 * and for anything else.
 */
function instanceUnits(value: string): readonly string[] | null {
  const [, start = '', star = ''] = /^((?:[a-z0-9][a-z0-9-]*)?)(\*?)$/.exec(value) ?? []
  if (start === '') return star === '' ? null : ['*.v*@*']
  if (mayBeginUuid(start) && (star !== '' || start.length === uuidLength)) return null
  const [, service, ordinal = ''] = /^([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)-([1-9][0-9]*|)$/.exec(start) ?? []
  const numbered = service === undefined ? [] : [`${service}.v*@${ordinal}${star}`]
  if (star === '') return service === undefined || ordinal === '' ? null : numbered
  return [...numbered, `${start}*.v*@*`]
}

const uuidLength = 36

function mayBeginUuid(text: string): boolean {
  return [...text].every((char, at) => ([8, 13, 18, 23].includes(at) ? char === '-' : /[0-9a-f]/.test(char)))
}

function asksForOther(fleet: readonly UnitOption[], option: UnitOption): boolean {
  const [key] = option.value.split('=')
  return fleet.some(
    (other) =>
      option.name === 'MachineMetadata' &&
      other.name === 'MachineMetadata' &&
      other.value.startsWith(`${key}=`) &&
      other.value !== option.value,
  )
}

function isSame(one: UnitOption, other: UnitOption): boolean {
  return one.name === other.name && one.value === other.value
}

function optionOf(name: 'Conflicts' | 'MachineMetadata', value: string): UnitOption {
  return { section: 'X-Fleet', name, value, line: 0 }
}
