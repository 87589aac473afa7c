// What stands beside a volume that is a directory: what is known of it, and which units have it.
import type { UnitName } from '../model/unit.js'

/** What is known of a volume beside its name. */
export interface VolumeFacts {
  readonly uuid: string
  readonly createdAt: number
}

/** A unit that may use a volume, as its mark says it: `<driver>~<unit>`. */
interface MarkedUnit {
  readonly driver: string
  readonly unit: UnitName
}

/** Reads the name of a mark. */
export function readPlaceholder(mark: string): MarkedUnit {
  const [driver = '', ...unit] = mark.split('~')
  return { driver, unit: unit.join('~') as UnitName }
}

/** Reads what is known of a volume; null where the text says nothing of the kind. Throws where it is no JSON. */
export function factsOf(text: string): VolumeFacts | null {
  const { uuid, createdAt } = JSON.parse(text) as Partial<VolumeFacts>
  return typeof uuid === 'string' && typeof createdAt === 'number' ? { uuid, createdAt } : null
}
