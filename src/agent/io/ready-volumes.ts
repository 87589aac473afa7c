// What is done with the volumes of a unit before its program starts: they are held to their sizes, and it is told if one is full.
import { statfs } from 'node:fs/promises'
import type { Log } from '../../lib/io/log.js'
import type { EventDraft } from '../../model/event.js'
import type { MachineId } from '../../model/machine.js'
import type { DesiredUnit } from '../../model/unit.js'
import { nameWithSlot, volumeKey } from '../../model/volume.js'
import type { UnitFile } from '../../unit/parse.js'
import { type NamedVolume, sizedVolumesOf } from '../../unit/volumes.js'
import type { Driver } from '../driver.js'
import { describeFull } from '../full-volume.js'
import type { VolumeQuotas } from './volume-quotas.js'

interface ReadyVolumesOptions {
  readonly machine: MachineId
  readonly log: Log
  readonly holdToSize: VolumeQuotas['hold']
  /** Why there is no room in a directory; null where there is. */
  readonly whyFull: (dir: string) => Promise<string | null>
  readonly tell: (event: EventDraft) => void
}

export class ReadyVolumes {
  readonly #options: ReadyVolumesOptions
  /** Those that were told to be full, until they have room. */
  readonly #full = new Set<string>()

  constructor(options: ReadyVolumesOptions) {
    this.#options = options
  }

  /** Before the program of a unit starts, which it does whatever is found. What it only reads is left alone. */
  async prepare(
    unit: DesiredUnit,
    file: UnitFile,
    volumes: readonly NamedVolume[],
    driver: Driver,
    signal: AbortSignal,
  ): Promise<void> {
    const sizes = sizedVolumesOf(file, { name: unit.name, machine: null })
    for (const volume of volumes.filter(({ readonly }) => !readonly)) {
      const dir = (await driver.volumeData?.(volume, signal).catch(() => null)) ?? null
      // Data that the daemon cannot reach are not looked at either.
      if (dir === null) continue
      const name = `${volume.service}.${nameWithSlot(volume)}`
      const sizeMb = sizes.find((size) => size.name === volume.name)?.sizeMb ?? null
      await this.#options.holdToSize({ name, dir, sizeMb }, signal)
      this.#noteFull(unit, volume, name, await this.#options.whyFull(dir).catch(() => null))
    }
  }

  #noteFull(
    { name: unit, instance }: DesiredUnit,
    volume: NamedVolume,
    name: string,
    why: string | null,
  ): void {
    const key = volumeKey(volume)
    const isNews = !this.#full.has(key)
    if (why === null) this.#full.delete(key)
    else this.#full.add(key)
    if (why === null || !isNews) return
    const { machine, log, tell } = this.#options
    const { project, service } = volume
    const message = `${instance?.name ?? unit} starts with the volume ${name}, which is full: ${why}`
    log.warn('volumes', message, { project })
    tell({ kind: 'volume', project, service, instance: instance?.name ?? null, machine, message })
  }
}

/** Of the file system of a directory; of its project, where that has a quota. */
export async function whyFull(dir: string): Promise<string | null> {
  return describeFull(await statfs(dir))
}
