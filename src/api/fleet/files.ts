// Unit files as fleet's API has them: a list of options, and fleet's hash of it. Each text is read once.
import type { UnitOption } from '../../unit/parse.js'
import { parseUnitAsFleet } from '../../unit/parse.js'
import { unitHash } from '../../unit/print.js'
import { remember } from '../../unit/reader.js'

/** A unit file as fleet sees it. */
interface FleetFile {
  /** SHA-1 of the options as fleet prints them: what its API reports and its clients compute. */
  readonly hash: string
  /** The options as JSON, in order. */
  readonly optionsJson: string
}

export interface FleetFiles {
  /** The file that is kept under a hash of ours; an empty one for a hash that nothing is kept under. */
  of(hash: string): FleetFile
}

/** A reader over the texts that `textOf` finds by hash. */
export function openFleetFiles(textOf: (hash: string) => string | undefined): FleetFiles {
  const known = new Map<string, FleetFile>()
  return {
    of: (hash) => {
      const text = textOf(hash)
      return text === undefined ? { hash, optionsJson: '[]' } : remember(known, hash, () => readFile(text))
    },
  }
}

function readFile(text: string): FleetFile {
  const { options } = parseUnitAsFleet(text).file
  return { hash: unitHash(text), optionsJson: `[${options.map(optionJson).join(',')}]` }
}

/** Go leaves empty texts out. */
function optionJson({ name, section, value }: UnitOption): string {
  return JSON.stringify(value === '' ? { name, section } : { name, section, value })
}
