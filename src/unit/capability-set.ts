// Lists of capabilities that add up line by line, as systemd reads `CapabilityBoundingSet=`.
import { bareCapability, type CapabilitySet, capabilityNames } from '../model/capability.js'
import { splitWords } from './words.js'

const all: CapabilitySet = { kind: 'without', names: [] }

/**
 * The set that lines make together. An empty line and a lone `~` begin anew, with none and with all; words after `~` are taken
 * away, others are added; the first line that names some begins with those. Null where a word is no capability.
 */
export function capabilitySet(lines: readonly string[]): CapabilitySet | null {
  let set = all
  for (const line of lines) {
    const isInverted = line.startsWith('~')
    const { words, problem } = splitWords(isInverted ? line.slice(1) : line)
    const names = words.map(bareCapability)
    if (problem !== null || !names.every((name) => capabilityNames.includes(name))) return null
    set = withLine(set, isInverted, names)
  }
  return { ...set, names: [...set.names].sort() }
}

function withLine(set: CapabilitySet, isInverted: boolean, names: readonly string[]): CapabilitySet {
  const isAll = set.kind === 'without' && set.names.length === 0
  if (names.length === 0 || isAll) return { kind: isInverted ? 'without' : 'only', names: unique(names) }
  // To take away from `only`, and to add to `without`, both leave names out.
  const shrinks = (set.kind === 'only') === isInverted
  const next = shrinks ? set.names.filter((name) => !names.includes(name)) : [...set.names, ...names]
  return { kind: set.kind, names: unique(next) }
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}
