// What may never be seen of the volumes of slots: two programs that write to one, one that another slot has written to, one
// that is empty though its slot has written, one that goes though nobody asked for that, and a slot that begins anew without
// a reason. Where volumes move: a slot that is on another machine before all that it has written is on the disk there, and a
// volume that goes though its slot has it, or no record accounts for it.
import type { OwnerOfVolumes } from '../../src/agent/driver.js'
import type { MachineId } from '../../src/model/machine.js'
import type { VolumeRecord } from '../../src/model/volume.js'
import { volumeKey } from '../../src/model/volume.js'
import { kindOfKey } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'
import { type ClusterView, serviceKey } from '../../src/store/view.js'
import type { Program } from './host.js'
import { project } from './scenario.js'
import { dirOf, type HostVolumes, type Kept, type Written } from './volumes.js'

export interface VolumesParts {
  /** The volumes of a machine. */
  readonly volumesOn: (machine: MachineId) => HostVolumes | null
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
  /** By the key of a volume that has moved, that of the first of its copies. */
  readonly #firsts = new Map<string, string>()
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

  deleted(
    machine: MachineId,
    { key, uuid, written }: Pick<Kept, 'key' | 'uuid' | 'written'>,
    owner: OwnerOfVolumes | null,
    isOnItsWay: boolean,
  ): void {
    const { broke, count } = this.#parts
    if (owner === null && this.#isOfMove(machine, uuid, isOnItsWay, written === null)) return
    count(owner === null ? 'volume deleted' : 'volume deleted with its service')
    const running = this.#running(machine, key)
    if (running.length > 0)
      broke(`${key} is deleted on ${machine}, and ${running[0]?.program.unit} writes to it`)
    if (owner === null && !this.#asked.has(uuid))
      broke(`${key} is deleted on ${machine}, and nobody asked for it`)
    if (this.#last.get(key)?.machine === machine) this.#last.delete(key)
    if (owner === null || written === null || written === 'torn' || this.#asked.has(written.service)) return
    const [of, later] = [this.#services.get(owner.uuid) ?? 0, this.#services.get(written.service) ?? 0]
    if (later > of) broke(`${key} is deleted on ${machine}, and is of a service that is to leave its volumes`)
  }

  /** Whether it is what a move has left, or a copy that nobody has. */
  #isOfMove(machine: MachineId, uuid: string, isOnItsWay: boolean, isEmpty: boolean): boolean {
    const { broke, count } = this.#parts
    const all = [...this.#records.values()]
    const has = all.find((one) => one.machine === machine && one.uuid === uuid)
    if (has !== undefined && isOnItsWay)
      broke(`${volumeKey(has)} is deleted on ${machine}, and its slot has it`)
    if (isOnItsWay || (isEmpty && has === undefined)) {
      count('copy discarded')
      return true
    }
    if (!all.some(({ left }) => left?.machine === machine && left.uuid === uuid)) return false
    count('left behind deleted')
    return true
  }

  /** What has to be so after a long quiet. */
  judgeRest(view: ClusterView): void {
    const { broke, volumesOn } = this.#parts
    for (const record of this.#records.values()) {
      const { machine, hold, left } = record
      const key = volumeKey(record)
      if (machine === null || !view.machines.has(machine)) continue
      if (hold?.work === 'move' && view.machines.has(hold.by))
        broke(`the move of ${key} from ${machine} to ${hold.by} does not end`)
      // An instance that is kept for people keeps what it had.
      const users =
        left &&
        volumesOn(left.machine)
          ?.list()
          .find(({ uuid }) => uuid === left.uuid)?.users.length
      if (left !== undefined && view.machines.has(left.machine) && (users ?? 0) === 0)
        broke(`what the move of ${key} has left on ${left.machine} is there`)
      const last = this.#last.get(key)
      if (last !== undefined && !isSame(volumesOn(machine)?.tree.writtenIn(dirOf(key)) ?? null, last.written))
        broke(`what was written to ${key} is not on ${machine}`)
    }
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
    for (const [place, writers] of this.#writers) {
      const other = writers.find((one) => one.machine !== machine && one.program.endedAt === null)
      if (other === undefined || this.#firstOf(place.slice(place.indexOf(' ') + 1)) !== this.#firstOf(key))
        continue
      this.#parts.broke(
        `${program.unit} writes to ${key} on ${machine}, and ${other.program.unit} to a copy of it on ${other.machine}`,
      )
    }
  }

  #firstOf(key: string): string {
    return this.#firsts.get(key) ?? key
  }

  /** A slot is on another machine now. */
  #moved(was: VolumeRecord, is: VolumeRecord): void {
    const { broke, count, volumesOn } = this.#parts
    const [before, after] = [volumeKey(was), volumeKey(is)]
    const [from, to] = [was.machine, is.machine]
    if (from === null || to === null) return
    count('volume moved')
    const running = this.#running(from, before)
    if (running[0] !== undefined)
      broke(`${before} has moved from ${from} to ${to}, and ${running[0].program.unit} writes to it`)
    const last = this.#last.get(before)
    this.#firsts.set(after, this.#firstOf(before))
    this.#last.delete(before)
    if (last === undefined) return
    count('volume moved with data')
    if (!isSame(volumesOn(to)?.tree.keptIn(dirOf(after)) ?? null, last.written))
      broke(`what was written to ${before} on ${from} is not on the disk of ${to}, to which it has moved`)
    this.#last.set(after, { machine: to, written: last.written })
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
    else if (!isSame(written, last.written))
      this.#parts.broke(`what was written to ${key} on ${machine} is gone`)
    else this.#parts.count('volume found again')
  }

  /** A slot begins anew only where its machine is away, and its manifest wants that or somebody has given the volume up. */
  #checkMove(view: ClusterView, was: VolumeRecord, is: VolumeRecord | null): void {
    if (is?.machine === was.machine && is.generation === was.generation) return
    const { broke, count } = this.#parts
    const { service, slot, machine, hold } = was
    const isArrival = hold?.work === 'move' && is?.machine === hold.by && is.left?.uuid === was.uuid
    if (isArrival) {
      this.#moved(was, is)
      return
    }
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

function isSame(one: Written | 'torn' | null, other: Written): boolean {
  return one !== null && one !== 'torn' && one.n === other.n && one.by === other.by
}
