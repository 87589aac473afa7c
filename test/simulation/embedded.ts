// The product's own store in files, on the simulated disk of a cluster's only machine. What it has acknowledged, and what it
// has shown, has to be there whenever it is opened again.
import { openEmbeddedStore } from '../../src/store/io/embedded.js'
import {
  type Change,
  type ChangeBatch,
  CompactedError,
  type Entry,
  type Revision,
  type Store,
  StoreError,
} from '../../src/store/store.js'
import type { Clockwork } from './clockwork.js'
import type { Connect, Connection, SimulatedStore } from './connection.js'
import { SimulatedDisk } from './disk.js'

/** So short that a run has many snapshots. */
const rotateBytes = 64 * 1024
/** What a store says of a disk that is full or fails. */
const ofDisk: ReadonlySet<string> = new Set(['store/full', 'store/io', 'store/read-only'])

export interface EmbeddedParts {
  readonly clockwork: Clockwork
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

export class EmbeddedWorld implements SimulatedStore {
  readonly disk: SimulatedDisk
  readonly truth: Store
  readonly members = []
  readonly withoutLeader = { from: Number.NEGATIVE_INFINITY, to: Number.NEGATIVE_INFINITY }
  readonly #parts: EmbeddedParts
  /** What was shown until now. */
  readonly #shown = new Map<string, Entry>()
  #revision: Revision = 0
  #acknowledged: Revision = 0
  /** The store that is open. */
  #open: { readonly store: Store; readonly gone: AbortSignal } | null = null
  #waiting: (() => void)[] = []
  /** A daemon that has met a bad disk may say so until it is started anew. */
  #hasFailed = false

  constructor(parts: EmbeddedParts) {
    this.#parts = parts
    this.disk = new SimulatedDisk(parts.clockwork)
    const unused = (): Promise<never> => Promise.reject(new Error('nobody else writes'))
    this.truth = {
      get: async (key) => (await this.#current()).store.get(key),
      range: async (prefix) => (await this.#current()).store.range(prefix),
      watch: (prefix, after, signal) => this.#watch(prefix, after, signal),
      ...{ txn: unused, grant: unused, keepAlive: unused, remainingMs: unused, revoke: unused },
      close: () => Promise.resolve(),
    }
  }

  start(): void {}

  heal(): void {
    this.disk.mend()
  }

  compact(): void {}

  /** Its leases are the product's own: time does not leap over those. */
  isQuiet(): boolean {
    return false
  }

  leapt(): void {}

  readonly connect: Connect = async (_n, { time, gone, log }) => {
    const { count } = this.#parts
    this.#hasFailed = false
    const never = (): Promise<never> => new Promise(() => {})
    const store = await openEmbeddedStore({
      ...{ dir: '/data/store', rotateBytes, log, timers: time },
      clock: { now: () => time.steady() },
      disk: this.disk.mount(gone),
      lock: async () => ({ release: async () => {} }),
      nextTurn: () => new Promise((resolve) => time.after(0, resolve)),
    })
    if (gone.aborted) return never()
    await this.#checkOpened(store)
    this.disk.settle()
    this.#open = { store, gone }
    this.#follow(store, gone).catch((error: unknown) => this.#parts.broke(`following: ${String(error)}`))
    for (const wake of this.#waiting.splice(0)) wake()
    let isBroken = false
    const txn: Store['txn'] = async (compare, ops) => {
      try {
        const result = await store.txn(compare, ops)
        if (gone.aborted) return await never()
        if (result.committed) this.#acknowledged = Math.max(this.#acknowledged, result.revision)
        return result
      } catch (error) {
        if (gone.aborted) return await never()
        if (error instanceof StoreError) count(`disk ${error.code}`)
        if (error instanceof StoreError && ofDisk.has(error.code)) this.#hasFailed = true
        if (error instanceof StoreError && error.code === 'store/read-only') isBroken = true
        throw error
      }
    }
    const connection: Connection = {
      store: { ...store, txn },
      slowMs: 0,
      isQuiet: true,
      outOfTouchAt: Number.NEGATIVE_INFINITY,
      get isBroken() {
        return isBroken
      },
      ...{ cut: () => {}, heal: () => {}, compact: () => {} },
      end: () => this.disk.left(),
      close: () => store.close(),
    }
    return connection
  }

  /** Whether something went wrong because of the disk, as it was told it has. A store that is damaged is restored. */
  excuses(error: unknown): boolean {
    if (error instanceof StoreError && error.code === 'store/corrupt' && this.disk.flipped !== null) {
      this.#parts.count('disk store/corrupt')
      this.disk.mend()
      return true
    }
    if (error instanceof StoreError && ofDisk.has(error.code)) return this.#hasFailed || this.disk.isBad
    // Of what is only told the text is known.
    const text = error instanceof Error ? error.message : String(error)
    return (
      (this.#hasFailed || this.disk.isBad) &&
      /no space left|takes no more changes|could not (?:write|be|remove)/.test(text)
    )
  }

  /** What was shown is there, and what has come since was on its way when the daemon went. */
  async #checkOpened(store: Store): Promise<void> {
    const { broke } = this.#parts
    const { revision, entries } = await store.range('')
    const known = Math.max(this.#revision, this.#acknowledged)
    if (revision < known) broke(`the store is at revision ${revision}, and ${known} was acknowledged`)
    const isWhole = await this.#catchUp(store, revision)
    if (!isWhole) for (const key of [...this.#shown.keys()]) this.#shown.delete(key)
    for (const entry of entries) {
      if (!isWhole) this.#shown.set(entry.key, entry)
      const shown = this.#shown.get(entry.key)
      if (shown?.modRevision !== entry.modRevision || shown.value !== entry.value)
        broke(`${entry.key} is at ${entry.modRevision}, and was shown at ${shown?.modRevision ?? 'no'}`)
    }
    if (entries.length !== this.#shown.size) broke(`${entries.length} keys are there of ${this.#shown.size}`)
    this.#revision = revision
  }

  /** Takes in what the store tells of what came after; false where that is too long ago for it. */
  async #catchUp(store: Store, revision: Revision): Promise<boolean> {
    if (revision <= this.#revision) return true
    const enough = new AbortController()
    try {
      for await (const batch of store.watch('', this.#revision, enough.signal)) {
        this.#take(batch.changes, batch.revision)
        if (batch.revision >= revision) break
      }
      return true
    } catch (error) {
      if (error instanceof CompactedError) return false
      throw error
    }
  }

  async #follow(store: Store, gone: AbortSignal): Promise<void> {
    try {
      for await (const { changes, revision } of store.watch('', this.#revision, gone))
        this.#take(changes, revision)
    } catch (error) {
      // It was closed in order.
      if (!(error instanceof StoreError && error.code === 'store/closed')) throw error
    }
  }

  #take(changes: readonly Change[], revision: Revision): void {
    for (const change of changes) {
      if (change.type === 'put') this.#shown.set(change.key, change.entry)
      else this.#shown.delete(change.key)
    }
    this.#revision = revision
  }

  async *#watch(prefix: string, after: Revision, signal: AbortSignal): AsyncGenerator<ChangeBatch> {
    let seen = after
    while (!signal.aborted) {
      const { store, gone } = await this.#current()
      try {
        for await (const batch of store.watch(prefix, seen, gone)) {
          seen = batch.revision
          yield batch
        }
      } catch (error) {
        if (!(error instanceof StoreError && error.code === 'store/closed')) throw error
        // The daemon closes it in order, and goes.
        if (this.#open?.store === store) this.#open = null
      }
    }
  }

  async #current(): Promise<{ readonly store: Store; readonly gone: AbortSignal }> {
    for (;;) {
      const open = this.#open
      if (open !== null && !open.gone.aborted) return open
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }
}
