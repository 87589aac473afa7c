// Which package a service gets. It is chosen before the rest is read, since templates may speak of it.
import type { Package } from '../model/package.js'
import { defaultPackages } from './default-packages.js'
import { choosePackage, type PackageChoice, smallestHolding } from './packages.js'
import { parseSizeMb } from './quantities.js'
import { parsed, type Scope, text } from './shapes.js'
import { childOf, isEmpty, type Tree } from './tree.js'
import { serviceSchema } from './validators.js'

/** How the two keys that it follows from are read. */
export const readPackageName = text(serviceSchema.properties.package.expected, 'deploy')
export const readMemory = parsed(serviceSchema.properties.memory.expected, parseSizeMb)

/**
 * The package of a service; null for none. Without a list, as when a manifest is checked without a daemon, the
 * packages that ship stand for it, and a name that is none of them is told as a warning.
 */
export function packageOf(
  node: Tree,
  packages: readonly Package[] | undefined,
  scope: Scope,
): Package | null {
  const name = scalarOf(node, 'package', readPackageName, scope)
  const memory = Number(scalarOf(node, 'memory', readMemory, scope) ?? Number.NaN)
  // A Manta job has its memory as a cap alone.
  if (name === undefined && scope.computeType === 'manta') return null
  const wish = {
    package: name === undefined ? undefined : String(name),
    memory: Number.isNaN(memory) ? undefined : memory,
  }
  const choice = choosePackage(wish, packages ?? defaultPackages)
  if ('chosen' in choice) return choice.chosen
  const place = childOf(node, 'package') ?? node
  if ('unknown' in choice && packages === undefined) {
    const message = `${choice.unknown} is not one of the built-in packages; the daemon's list may have it`
    const hint = choice.near === undefined ? undefined : `did you mean ${choice.near}?`
    scope.notes.report('manifest/package-not-checked', place, message, hint)
    return smallestHolding(wish.memory ?? 0, defaultPackages)
  }
  reportNone(choice, place, wish.memory ?? 0, scope)
  return null
}

function scalarOf(node: Tree, key: string, read: typeof readMemory, scope: Scope): unknown {
  const child = childOf(node, key)
  if (child?.kind !== 'scalar' || isEmpty(child)) return undefined
  const value = read(child, scope)
  return value?.kind === 'scalar' && !value.standIn ? value.value : undefined
}

function reportNone(
  choice: Exclude<PackageChoice, { chosen: unknown }>,
  place: Tree,
  memory: number,
  { notes }: Scope,
): void {
  if ('unknown' in choice) {
    const hint =
      choice.near === undefined
        ? 'mariposa manifest schema packages describes the list'
        : `did you mean ${choice.near}?`
    notes.report(
      'manifest/unknown-package',
      place,
      `there is no package and no family ${JSON.stringify(choice.unknown)}`,
      hint,
    )
    return
  }
  const sizes = choice.tooSmall.map(({ name, ram }) => `${name} (${ram} MiB)`).join(', ')
  notes.report(
    'manifest/no-package-fits',
    place,
    `none of these packages has ${memory} MiB: ${sizes}`,
    'request less memory, or choose a larger package',
  )
}
