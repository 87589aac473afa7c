// The end of an instance that runs once, while the store is away.
import { expect, test } from 'vitest'
import { takeAway, takeAwayIfMade, takeAwayUnattended } from '../../src/api/io/one-off-end.js'
import { startOneOff } from '../../src/changes/one-offs.js'
import { isProblem } from '../../src/changes/problem.js'
import { opsOf } from '../../src/changes/services.js'
import { systemClock } from '../../src/lib/io/clock.js'
import type { Time } from '../../src/lib/time.js'
import type { Instance } from '../../src/model/service.js'
import { openRegistry, type Registry } from '../../src/store/io/registry.js'
import { type Store, StoreError } from '../../src/store/store.js'
import { serviceKey } from '../../src/store/view.js'
import { defaultSettings } from '../manifest/default-settings.js'
import { idOf } from '../world/world.js'
import { deploy, openLocalApi } from './local-api.js'

/** Waits are over at once: that they are is noted. */
const impatient: Time = { ...systemClock, after: (_ms, run) => systemClock.after(0, run) }

const away = new StoreError('store/unreachable', 'the store is unreachable', 'wait')

/**
 * A daemon, and an instance that it makes for a caller. `fail` has the next requests to the store fail; `delay` has the next
 * change fail, and carried out when the function that it gives is called.
 */
async function attending() {
  let failing = 0
  let delayed: (() => Promise<unknown>) | 'next' | null = null
  const opened = await openLocalApi(impatient)
  const { context, server, registry } = opened
  await deploy(server, ['job'])
  const failed = <T>(ask: () => Promise<T>): Promise<T> => {
    if (failing === 0) return ask()
    failing -= 1
    return Promise.reject(away)
  }
  const { store } = registry
  const unsteady: Store = Object.assign(Object.create(store) as Store, {
    txn: (...args: Parameters<Store['txn']>) => {
      if (delayed !== 'next') return failed(() => store.txn(...args))
      delayed = () => store.txn(...args)
      return Promise.reject(away)
    },
    get: (key: string) => failed(() => store.get(key)),
    range: (prefix: string) => store.range(prefix),
    watch: (...args: Parameters<Store['watch']>) => store.watch(...args),
  })
  const throughIt = await openRegistry(unsteady, { onError: () => {}, patienceMs: 60_000 })
  const make = async (id = 'one'): Promise<Instance> => {
    const asked = { argv: ['/bin/true'], environment: {}, attendedBy: idOf('a'), id }
    const change = startOneOff(throughIt.view, 'default', 'job', asked, defaultSettings, 1)
    if (isProblem(change)) throw new Error(change.message)
    await throughIt.decide(() => ({ decidedOn: [], ops: opsOf(change, null) })).catch(() => {})
    return change.instance
  }
  return {
    ...{ context: { ...context, registry: throughIt }, make },
    fail: (times: number) => {
      failing = times
    },
    delay: () => {
      delayed = 'next'
      return async () => (typeof delayed === 'function' ? await delayed() : null)
    },
    left: () => throughIt.view.oneOffsOf(serviceKey('default', 'job')).map(({ name }) => name),
    close: async () => {
      await throughIt.close()
      await server.close()
    },
  }
}

test('an instance whose program ended while the store was away is removed once it is back', async () => {
  const { context, make, fail, left, close } = await attending()
  const instance = await make()
  expect(left()).toEqual([instance.name])
  fail(5)
  await takeAway(context, instance, 0)
  expect(left()).toEqual([])
  await close()
})

test('an instance that was made although its caller was told otherwise is removed', async () => {
  const { context, make, fail, left, close } = await attending()
  const instance = await make()
  fail(3)
  await takeAwayIfMade(context, instance)
  expect(left()).toEqual([])
  await close()
})

test('an instance cannot come to be after its caller was told otherwise', async () => {
  const { context, make, delay, left, close } = await attending()
  const carryOut = delay()
  const instance = await make()
  await takeAwayIfMade(context, instance)
  expect(await carryOut()).toMatchObject({ committed: false })
  expect(left()).toEqual([])
  await close()
})

test('what an earlier daemon of this machine made is removed, also where the store makes it only now; what is waited for stays', async () => {
  const { context, make, delay, left, close } = await attending()
  const before = await make('before')
  const end = takeAwayUnattended(context)
  await untilSeen(context.registry, () => !left().includes(before.name))
  const carryOut = delay()
  const late = await make('late')
  const isThere = untilSeen(context.registry, () => left().includes(late.name))
  expect(await carryOut()).toMatchObject({ committed: true })
  await isThere
  await untilSeen(context.registry, () => !left().includes(late.name))
  context.attended.add('awaited')
  const awaited = await make('awaited')
  // A removal would be decided on in this turn.
  await new Promise((resolve) => setImmediate(resolve))
  expect(context.registry.view.units.get(awaited.unit)?.desired).toBe('launched')
  end()
  await close()
})

test('another instance that got the number of one that was not made is left alone', async () => {
  const { context, make, fail, left, close } = await attending()
  fail(1)
  const instance = await make('one')
  const other = await make('other')
  expect(other.unit).toBe(instance.unit)
  await takeAwayIfMade(context, instance)
  await takeAway(context, instance, 0)
  expect(left()).toEqual([other.name])
  await close()
})

/** Resolves when something holds of the view. */
function untilSeen(registry: Registry, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const end = registry.onChange(() => look())
    const look = (): void => {
      if (!holds()) return
      end()
      resolve()
    }
    look()
  })
}
