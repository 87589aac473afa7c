// What may never be seen of the volumes of slots: two programs that write to one, one that another slot has written to, one
// that is empty though its slot has written, one that goes though nobody asked for that, and a slot that begins anew without
// a reason.
import type { OwnerOfVolumes } from '../../src/agent/driver.js'
import type { MachineId } from '../../src/model/machine.js'
import type { VolumeRecord } from '../../src/model/volume.js'
import { volumeKey } from '../../src/model/volume.js'
import { kindOfKey } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'
import { type ClusterView, serviceKey } from '../../src/store/view.js'
import type { Program } from './host.js'
import { project } from './scenario.js'
import type { Kept, Written } from './volumes.js'

export interface VolumesParts {
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

/** Whose program writes to a volume. */
interface Writer {
  readonly machine: MachineId
  readonly program: Program
}

export class VolumesJudge {
  readonly #parts: VolumesParts
  /** What was written last to each volume, by its key, and where. */
  readonly #last = new Map<string, { readonly machine: MachineId; readonly written: Written }>()
  /** By machine and key, those that were told to write to it. */
  readonly #writers = new Map<string, readonly Writer[]>()
  #records: ReadonlyMap<string, VolumeRecord> = new Map()
  /** Services by uuid, in the order in which they were seen first. */
  readonly #services = new Map<string, number>()
  /** Services that somebody has asked to delete with their volumes, by uuid and name, and volumes, by uuid and key. */
  readonly #asked = new Set<string>()

  constructor(parts: VolumesParts) {
    this.#parts = parts
  }

  /** Somebody asks to delete a service with its volumes, or a volume: `what` is its name, or the key of the volume. */
  asked(uuid: string, what: string): void {
    this.#asked.add(uuid)
    this.#asked.add(what)
  }

  /** A program begins with volumes as they are before it writes. */
  writing(machine: MachineId, program: Program, volumes: readonly Kept[], written: Written): void {
    for (const volume of volumes) {
      this.#checkAlone(machine, program, volume)
      this.#checkContents(machine, program, volume)
      this.#last.set(volume.key, { machine, written })
    }
  }

  deleted(machine: MachineId, { key, uuid, written }: Kept, owner: OwnerOfVolumes | null): void {
    const { broke, count } = this.#parts
    count(owner === null ? 'volume deleted' : 'volume deleted with its service')
    const running = this.#running(machine, key)
    if (running.length > 0)
      broke(`${key} is deleted on ${machine}, and ${running[0]?.program.unit} writes to it`)
    if (owner === null && !this.#asked.has(uuid))
      broke(`${key} is deleted on ${machine}, and nobody asked for it`)
    if (this.#last.get(key)?.machine === machine) this.#last.delete(key)
    if (owner === null || written === null || this.#asked.has(written.service)) return
    const [of, later] = [this.#services.get(owner.uuid) ?? 0, this.#services.get(written.service) ?? 0]
    if (later > of) broke(`${key} is deleted on ${machine}, and is of a service that is to leave its volumes`)
  }

  /** Looks at what has changed, with the view as it is with that. */
  look(view: ClusterView, changes: readonly Change[]): void {
    for (const { uuid } of view.services.values())
      if (!this.#services.has(uuid)) this.#services.set(uuid, this.#services.size)
    if (!changes.some(({ key }) => kindOfKey(key) === 'volume')) return
    const before = this.#records
    const records = [...view.servicesWithVolumes()].flatMap((service) => [...view.volumesOf(service)])
    this.#records = new Map(records)
    for (const [key, was] of before) this.#checkMove(view, was, this.#records.get(key) ?? null)
  }

  #checkAlone(machine: MachineId, program: Program, { key }: Kept): void {
    const others = this.#running(machine, key).filter((other) => other.program !== program)
    if (others[0] !== undefined)
      this.#parts.broke(`${program.unit} and ${others[0].program.unit} write to ${key} on ${machine}`)
    this.#writers.set(`${machine} ${key}`, [...others, { machine, program }])
  }

  #running(machine: MachineId, key: string): readonly Writer[] {
    const writers = this.#writers.get(`${machine} ${key}`) ?? []
    return writers.filter(({ program }) => program.endedAt === null)
  }

  #checkContents(machine: MachineId, { unit }: Program, { key, written }: Kept): void {
    const last = this.#last.get(key)
    if (last === undefined) return
    if (last.machine !== machine)
      this.#parts.broke(`${unit} begins with ${key} on ${machine}, and that was written on ${last.machine}`)
    else if (written?.n !== last.written.n)
      this.#parts.broke(`what was written to ${key} on ${machine} is gone`)
    else this.#parts.count('volume found again')
  }

  /** A slot begins anew only where its machine is away, and its manifest wants that or somebody has given the volume up. */
  #checkMove(view: ClusterView, was: VolumeRecord, is: VolumeRecord | null): void {
    if (is?.machine === was.machine && is.generation === was.generation) return
    const { broke, count } = this.#parts
    const { service, slot, machine } = was
    const title = `the volume ${volumeKey(was)}`
    if (is !== null && is.generation < was.generation) broke(`${title} is one again that was before it`)
    // Where it was given up before, whoever wanted that was judged then.
    if (machine === null) return
    const wasAsked = this.#asked.has(volumeKey(was)) || this.#asked.has(service)
    if (is === null || is.machine === null) {
      if (!wasAsked) broke(`${title} is given up, and nobody asked for it`)
      count('volume given up')
      this.#last.delete(volumeKey(was))
      return
    }
    count('volume anew')
    const isFresh = view
      .instancesOf(serviceKey(project, service))
      .filter((one) => one.slot === slot)
      .some(({ version }) => (view.versions.get(version)?.text ?? '').includes('on_lost: fresh'))
    if (!isFresh) broke(`${title} begins anew, and is to wait`)
    if (view.machines.has(machine)) broke(`${title} begins anew, and ${machine} is there`)
    if (is.generation === was.generation) broke(`${title} begins anew under the same name`)
  }
}
