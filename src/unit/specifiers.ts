// Specifiers: %-letters in a unit file that stand for something about the unit or its machine (systemd.unit(5)).
import type { UnitName } from '../model/unit.js'
import { splitUnitName } from './name.js'

/** What specifiers can refer to. */
export interface SpecifierContext {
  readonly name: UnitName
  /** `%m` and `%H`; null where the machine is not known yet, so that they are a problem. */
  readonly machine: { readonly id: string; readonly hostname: string } | null
}

interface Expanded {
  readonly text: string
  /** One for each specifier that cannot be filled in; those stay as they were. */
  readonly problems: readonly string[]
}

/** Fills in `%n %N %p %P %i %I %j %J %m %H %%`. */
export function expandSpecifiers(text: string, context: SpecifierContext): Expanded {
  const problems: string[] = []
  const expanded = text.replace(/%(.?)/gsu, (specifier: string, letter: string) => {
    const value = specifiers[letter]?.(context)
    if (value !== undefined && value !== null) return value
    problems.push(
      value === undefined
        ? `${specifier} is not a known specifier (write %% for a percent sign)`
        : `${specifier} is not known before the unit has a machine`,
    )
    return specifier
  })
  return { text: expanded, problems }
}

const specifiers: Readonly<Record<string, (context: SpecifierContext) => string | null>> = {
  '%': () => '%',
  n: ({ name }) => name,
  N: ({ name }) => splitUnitName(name).stem,
  p: ({ name }) => splitUnitName(name).prefix,
  P: ({ name }) => unescapeName(splitUnitName(name).prefix),
  i: ({ name }) => splitUnitName(name).instance ?? '',
  I: ({ name }) => unescapeName(splitUnitName(name).instance ?? ''),
  j: ({ name }) => lastPart(name),
  J: ({ name }) => unescapeName(lastPart(name)),
  m: ({ machine }) => machine?.id ?? null,
  H: ({ machine }) => machine?.hostname ?? null,
}

/** Of `a-b-c@1.service` it is `c`. */
function lastPart(name: UnitName): string {
  const { prefix } = splitUnitName(name)
  return prefix.slice(prefix.lastIndexOf('-') + 1)
}

/** Undoes systemd's escaping of names: `-` is a slash, `\xNN` a byte of UTF-8. */
function unescapeName(text: string): string {
  return text
    .replaceAll('-', '/')
    .replace(/(?:\\x[0-9a-f]{2})+/g, (bytes) =>
      new TextDecoder().decode(
        Uint8Array.from(bytes.slice(2).split('\\x'), (byte) => Number.parseInt(byte, 16)),
      ),
    )
}

/** The four that fleet knows in `[X-Fleet]`: `%n %N %p %i`. All else stays as it is, as in fleet. */
export function expandFleetSpecifiers(text: string, name: UnitName): string {
  const { stem, prefix, instance } = splitUnitName(name)
  const values: Readonly<Record<string, string>> = {
    '%n': name,
    '%N': stem,
    '%p': prefix,
    '%i': instance ?? '',
  }
  return text.replace(/%[nNpi]/g, (specifier) => values[specifier] ?? specifier)
}
