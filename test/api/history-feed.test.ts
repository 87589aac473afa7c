import { expect, test } from 'vitest'
import { FellBehindError, HistoryFeed } from '../../src/api/io/history-feed.js'
import { systemClock } from '../../src/lib/io/clock.js'
import type { HistoryEvent } from '../../src/model/event.js'
import type { MachineId } from '../../src/model/machine.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openRegistry } from '../../src/store/io/registry.js'
import { decodeEvents } from '../../src/store/records.js'
import { openMemoryStore } from '../store/memory-store.js'

async function openFeed(atMostBytes?: number) {
  const registry = await openRegistry(openMemoryStore({ clock: systemClock }), {
    onError: (error) => {
      throw error
    },
  })
  const events = openEventLog(systemClock, 'a'.repeat(32) as MachineId)
  const about = { project: null, service: null, instance: null, machine: null }
  const tell = (...messages: readonly string[]) =>
    registry.commit([], events.append(messages.map((message) => ({ kind: 'machine', ...about, message }))))
  return { registry, feed: new HistoryFeed(registry, atMostBytes), tell }
}

async function next(
  following: AsyncGenerator<HistoryEvent, void>,
  count: number,
): Promise<readonly string[]> {
  const messages: string[] = []
  while (messages.length < count) {
    const { value, done } = await following.next()
    if (done === true) break
    messages.push(value.message)
  }
  return messages
}

test('each who follows gets all that comes after what it has read, once and in order, at its own pace', async () => {
  const { registry, feed, tell } = await openFeed()
  await tell('1', '2')
  const end = new AbortController()
  const { entries, place } = feed.read()
  expect(entries.flatMap(decodeEvents).map(({ message }) => message)).toEqual(['1', '2'])
  const [fast, slow] = [feed.after(place, end.signal), feed.after(place, end.signal)]
  const waiting = next(fast, 2)
  await tell('3')
  await tell('4', '5')
  expect(await waiting).toEqual(['3', '4'])
  expect(await next(slow, 3)).toEqual(['3', '4', '5'])
  await tell('6')
  expect(await next(fast, 2)).toEqual(['5', '6'])
  const last = slow.next()
  end.abort()
  await last
  expect((await slow.next()).done).toBe(true)
  await registry.close()
})

test('one that is too far behind is told so, and one that keeps up is not', async () => {
  const { registry, feed, tell } = await openFeed(10_000)
  const end = new AbortController()
  const { place } = feed.read()
  const [keepsUp, stuck] = [feed.after(place, end.signal), feed.after(place, end.signal)]
  for (let n = 0; n < 100; n++) {
    await tell(`${n}`.padEnd(1000, 'x'))
    await next(keepsUp, 1)
  }
  await expect(stuck.next()).rejects.toBeInstanceOf(FellBehindError)
  await registry.close()
})
