// What of the disk of a machine is promised to volumes that say their size. A volume is counted once, whoever has it: units,
// and its record in the store, which stays when they go.
import type { DesiredUnit } from '../../model/unit.js'
import { volumeKey } from '../../model/volume.js'
import type { SizedVolume } from '../../unit/volumes.js'

/** Who asks for the space of a volume: a unit that has it, or the store, which says that it is there. */
type DiskHolder = object | 'store'

export class PromisedDisk {
  /** In MiB. */
  totalMb = 0
  readonly #volumes = new Map<string, Map<DiskHolder, number>>()

  /** How much a volume has: the most that somebody asks for it. */
  of(volume: string): number {
    const holders = this.#volumes.get(volume)
    return holders === undefined ? 0 : Math.max(...holders.values())
  }

  /** Has somebody ask for the space of a volume; `sizeMb` 0: for none any more. Returns whether the total has changed. */
  set(volume: string, holder: DiskHolder, sizeMb: number): boolean {
    const before = this.of(volume)
    const holders = this.#volumes.get(volume) ?? new Map<DiskHolder, number>()
    if (sizeMb > 0) holders.set(holder, sizeMb)
    else holders.delete(holder)
    if (holders.size > 0) this.#volumes.set(volume, holders)
    else this.#volumes.delete(volume)
    const change = this.of(volume) - before
    this.totalMb += change
    return change !== 0
  }

  get isEmpty(): boolean {
    return this.#volumes.size === 0
  }
}

/** What tells the volume of a unit from all others on a machine. */
export function sizedVolumeKey(unit: DesiredUnit, { project, service, name, perSlot }: SizedVolume): string {
  if (!perSlot) return volumeKey({ project, service, name })
  const slot = unit.instance?.slot
  return slot === undefined ? `${unit.name} ${name}` : volumeKey({ project, service, name, slot })
}
