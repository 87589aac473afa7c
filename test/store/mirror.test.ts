import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/lib/io/clock.js'
import type { Timer } from '../../src/lib/time.js'
import { openEmbeddedStore } from '../../src/store/io/embedded.js'
import { type Mirror, openMirror } from '../../src/store/io/mirror.js'
import type { ChangeBatch, Entry, Op, Store } from '../../src/store/store.js'
import { removeDir } from '../remove-dir.js'
import { openMemoryStore } from './memory-store.js'

const historyLimit = 50
const failOnError = (error: unknown): void => {
  throw error
}

mirrorTests('the memory store', async () => ({
  store: openMemoryStore({ clock: systemClock, historyLimit }),
  remove: () => {},
}))
mirrorTests('the embedded store', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'store-'))
  const store = await openEmbeddedStore({ dir, clock: systemClock, historyLimit })
  return { store, remove: () => removeDir(dir) }
})

function mirrorTests(name: string, open: () => Promise<{ store: Store; remove: () => void }>): void {
  describe(`a mirror of ${name}`, () => {
    let store: Store
    let removeFiles: () => void
    const mirrors: Mirror[] = []
    const mirror = (
      of: Store,
      prefix: string,
      options: Partial<Parameters<typeof openMirror>[2]> = {},
    ): Mirror => {
      const opened = openMirror(of, prefix, { onError: failOnError, retryMs: 1, ...options })
      mirrors.push(opened)
      return opened
    }

    beforeEach(async () => {
      const opened = await open()
      store = opened.store
      removeFiles = opened.remove
    })
    afterEach(async () => {
      for (const one of mirrors.splice(0)) await one.close()
      await store.close()
      removeFiles()
    })

    test('leaves no timer behind when what was waited for is there', async () => {
      const timers = new Set<number>()
      let made = 0
      const time: typeof systemClock = {
        ...systemClock,
        after: (ms, run) => {
          const id = made++
          timers.add(id)
          const timer = systemClock.after(ms, () => {
            timers.delete(id)
            run()
          })
          const own: Timer = {
            cancel: () => {
              timers.delete(id)
              timer.cancel()
            },
            unref: () => own,
          }
          return own
        },
      }
      const m = mirror(store, 'a/', { patienceMs: 3_600_000, time })
      await m.ready
      const waited = m.caughtUp(1)
      expect(timers.size).toBe(1)
      await store.txn([], [put('a/1', 'x')])
      await waited
      expect(timers.size).toBe(0)
    })

    test('is ready with all that is there, and calls back with it', async () => {
      await store.txn([], [put('a/1', 'x'), put('b', 'y')])
      const m = mirror(store, 'a/')
      const batches = collect(m)
      await m.ready
      expect([...m.entries.keys()]).toEqual(['a/1'])
      expect(m.revision).toBe(1)
      expect(batches).toMatchObject([{ revision: 1, changes: [{ type: 'put', key: 'a/1', previous: null }] }])
    })

    test('is ready when there is nothing', async () => {
      const m = mirror(store, '')
      await m.ready
      expect(m.entries.size).toBe(0)
    })

    test('has what was written once it has caught up', async () => {
      const m = mirror(store, '')
      await m.ready
      for (let i = 0; i < 20; i++) {
        const { revision } = await store.txn([], [put('a', String(i))])
        await m.caughtUp(revision)
        expect(m.entries.get('a')?.value).toBe(String(i))
        expect(m.revision).toBe(revision)
      }
    })

    test('catches up with changes outside its prefix', async () => {
      const m = mirror(store, 'a/', { patienceMs: 1 })
      await m.ready
      const { revision } = await store.txn([], [put('b', '1')])
      await m.caughtUp(revision)
      expect(m.revision).toBe(revision)
    })

    test('catches up also with what is newer than the listing that it waits for', async () => {
      const { promise: released, resolve: release } = withResolvers()
      let [lists, looks] = [0, 0]
      const slow: Store = Object.assign(Object.create(store) as Store, {
        watch: (...args: Parameters<Store['watch']>) => store.watch(...args),
        range: async (of: string) => {
          const listed = await store.range(of)
          lists += 1
          if (lists === 2) await released
          return listed
        },
      })
      const after: typeof systemClock.after = (ms, run) =>
        systemClock.after(ms, () => {
          looks += 1
          run()
        })
      const m = mirror(slow, 'a/', { patienceMs: 1, time: { ...systemClock, after } })
      await m.ready
      const first = await store.txn([], [put('b', '1')])
      const one = m.caughtUp(first.revision)
      await expect.poll(() => lists).toBe(2)
      const second = await store.txn([], [put('b', '2')])
      const other = m.caughtUp(second.revision)
      await expect.poll(() => looks).toBe(2)
      release()
      await one
      await other
      expect(m.revision).toBe(second.revision)
    })

    test('lists again when it fell too far behind, and shows the differences alone', async () => {
      await store.txn([], [put('kept', '1'), put('changed', '1'), put('gone', '1')])
      const gate = gated(store)
      const m = mirror(gate.store, '')
      await m.ready
      const batches = collect(m)
      gate.hold()
      // The first change is on its way to the mirror already when the gate closes.
      await store.txn([], [put('kept', '2')])
      await store.txn([], [put('changed', '2'), { op: 'delete', key: 'gone' }, put('added', '1')])
      for (let i = 0; i < 3 * historyLimit; i++) await store.txn([], [put('filler', String(i))])
      const { revision } = await store.txn([], [{ op: 'delete', key: 'filler' }])
      gate.release()
      await m.caughtUp(revision)
      expect(contentOf(m)).toEqual((await store.range('')).entries)
      expect(gate.lists()).toBe(2)
      expect(
        batches.map((batch) => batch.changes.map((change) => `${change.type} ${change.key}`).sort()),
      ).toEqual([['put kept'], ['delete gone', 'put added', 'put changed']])
      expect(batches.at(-1)?.revision).toBe(revision)
    })

    test('takes in what comes of its first listing, and is put right where that was begun again', async () => {
      await store.txn([], [put('changed', '1'), put('gone', '1'), put('kept', '1')])
      const { promise, resolve } = withResolvers()
      const meanwhile = [put('changed', '2'), { op: 'delete', key: 'gone' }, put('new', '1')] as const
      const m = mirror(inParts(store, meanwhile, promise), '')
      const batches = collect(m)
      let isReady = false
      const ready = m.ready.then(() => {
        isReady = true
      })
      await new Promise((part) => m.onChange(part))
      expect(contentOf(m).map(({ key, value }) => `${key} ${value}`)).toEqual([
        'changed 1',
        'gone 1',
        'kept 1',
      ])
      expect(isReady).toBe(false)
      resolve()
      await ready
      expect(contentOf(m)).toEqual((await store.range('')).entries)
      expect(batches.map(({ changes }) => changes.map(({ type, key }) => `${type} ${key}`))).toEqual([
        ['put changed', 'put gone', 'put kept'],
        ['put changed', 'put new', 'delete gone'],
      ])
    })

    test('that has something to begin with shows no listing before it is all there', async () => {
      await store.txn([], [put('a', '1'), put('b', '1')])
      const initial = (await store.range('a')).entries
      const m = mirror(inParts(store, [put('c', '1')]), '', { initial })
      const batches = collect(m)
      await m.ready
      expect(batches).toHaveLength(1)
      expect([...m.entries.keys()].sort()).toEqual(['a', 'b', 'c'])
    })

    test('passes over changes that a listing has shown before the watch', async () => {
      const gate = gated(store)
      const m = mirror(gate.store, '', { patienceMs: 1 })
      await m.ready
      const batches = collect(m)
      gate.hold()
      await store.txn([], [put('a', '1')])
      const listed = (await store.txn([], [put('a', '2')])).revision
      await m.caughtUp(listed)
      gate.release()
      const last = (await store.txn([], [put('b', '1')])).revision
      while (batches.at(-1)?.revision !== last) await new Promise((resolve) => m.onChange(resolve))
      expect(batches.map((batch) => batch.revision)).toEqual([listed, last])
      expect(m.entries.get('a')?.value).toBe('2')
    })

    test('knows what was there before, though the store has forgotten it', async () => {
      await store.txn([], [put('a', '1'), put('b', '1')])
      const forgetful: Store = {
        ...store,
        watch: async function* (...args) {
          for await (const { revision, changes } of store.watch(...args))
            yield { revision, changes: changes.map((change) => ({ ...change, previous: null })) }
        },
      }
      const m = mirror(forgetful, '')
      await m.ready
      const batches = collect(m)
      const { revision } = await store.txn([], [put('a', '2'), { op: 'delete', key: 'b' }, put('c', '1')])
      await m.caughtUp(revision)
      expect(batches[0]?.changes.map(({ key, previous }) => [key, previous?.value ?? null])).toEqual([
        ['a', '1'],
        ['b', '1'],
        ['c', null],
      ])
    })

    test('says once what goes wrong again and again, tries again, and misses nothing', async () => {
      const gate = gated(store)
      const errors: unknown[] = []
      gate.fail(3)
      const m = mirror(gate.store, '', { onError: (error) => errors.push(error) })
      await m.ready
      expect(errors).toHaveLength(1)
      const { revision } = await store.txn([], [put('a', '1')])
      await m.caughtUp(revision)
      expect(m.entries.get('a')?.value).toBe('1')
    })

    test('goes on when a listener throws', async () => {
      const errors: unknown[] = []
      const m = mirror(store, '', { onError: (error) => errors.push(error) })
      m.onChange(() => {
        throw new Error('listener')
      })
      const batches = collect(m)
      await m.ready
      const { revision } = await store.txn([], [put('a', '1')])
      await m.caughtUp(revision)
      expect(batches).toHaveLength(1)
      expect(errors).toHaveLength(1)
    })

    test('that is closed follows no more, and tells those who wait', async () => {
      const m = mirror(store, '')
      await m.ready
      const waiting = expect(m.caughtUp(99)).rejects.toMatchObject({ code: 'store/closed' })
      await m.close()
      await waiting
      await store.txn([], [put('a', '1')])
      expect(m.entries.size).toBe(0)
    })

    test('ends with its store', async () => {
      const errors: unknown[] = []
      const m = mirror(store, '', { onError: (error) => errors.push(error) })
      await m.ready
      await store.close()
      await expect(m.caughtUp(99)).rejects.toMatchObject({ code: 'store/closed' })
      await m.close()
      expect(errors).toMatchObject([{ code: 'store/closed' }])
    })
  })
}

/** The store with a gate before its watch, so that a watcher can be slow, and faults in its listings. */
function gated(store: Store): {
  store: Store
  hold: () => void
  release: () => void
  fail: (times: number) => void
  lists: () => number
} {
  let open = Promise.resolve()
  let release = (): void => {}
  let faults = 0
  let lists = 0
  async function* slowly(batches: AsyncIterable<ChangeBatch>): AsyncGenerator<ChangeBatch> {
    for await (const batch of batches) {
      await open
      yield batch
    }
  }
  return {
    store: {
      ...store,
      range: async (prefix) => {
        lists += 1
        if (faults-- > 0) throw new Error('out of reach')
        return store.range(prefix)
      },
      watch: (prefix, after, signal) => slowly(store.watch(prefix, after, signal)),
    },
    hold: () => {
      open = new Promise((resolve) => {
        release = resolve
      })
    },
    release: () => release(),
    fail: (times) => {
      faults = times
    },
    lists: () => lists,
  }
}

/** The store as one far away: it tells what it has, and when it may go on, and something has changed, lists again. */
function inParts(store: Store, meanwhile: readonly Op[], mayGoOn = Promise.resolve()): Store {
  return {
    ...store,
    range: async (prefix, onPart) => {
      onPart?.((await store.range(prefix)).entries)
      await mayGoOn
      await store.txn([], meanwhile)
      return store.range(prefix)
    },
  }
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

function collect(mirror: Mirror): ChangeBatch[] {
  const batches: ChangeBatch[] = []
  mirror.onChange((batch) => batches.push(batch))
  return batches
}

function contentOf(mirror: Mirror): Entry[] {
  return [...mirror.entries.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}

function put(key: string, value: string): Op {
  return { op: 'put', key, value }
}
