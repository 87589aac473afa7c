// A deploy that is held to a plan, while others go on writing.
import { afterEach, describe, expect, test } from 'vitest'
import { applyChange } from '../../src/api/io/context.js'
import { setMeta } from '../../src/changes/meta.js'
import { systemClock } from '../../src/lib/io/clock.js'
import type { Time } from '../../src/lib/time.js'
import { type LocalApi, openLocalApi } from './local-api.js'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Patience is over twenty times as soon. */
const hurried: Time = { ...systemClock, now: () => 1_000_000, steady: () => 20 * systemClock.steady() }

async function opened(clock?: Time): Promise<LocalApi> {
  const api = await openLocalApi(clock)
  ends.push(() => api.server.close())
  return api
}

/** Enough instances for a plan to take many turns of the event loop. */
const text = 'compute_type: process\ncommand: [/bin/x]\n'
const asked = { sources: [{ file: 'web.yml', text, name: 'web' }], scale: 300 }

async function post(api: LocalApi, verb: 'plan' | 'deploy', payload: object) {
  const url = `/v1/projects/default/${verb}`
  const answer = await api.server.inject({ method: 'POST', url, payload })
  return { status: answer.statusCode, body: answer.json<{ id: string; error?: { code: string } }>() }
}

/** Sets metadata of a project in every turn; returns how often it did. */
function keepWriting({ context }: LocalApi, project: string): () => number {
  let writes = 0
  let isOver = false
  const writing = (async () => {
    while (!isOver) {
      const value = String(writes)
      await applyChange(context, null, (view, now) =>
        setMeta(view, project, 'busy', { value }, (secret) => secret, now),
      )
      writes += 1
      await turn()
    }
  })()
  ends.push(() => {
    isOver = true
    return writing
  })
  return () => writes
}

describe('a deploy that expects a plan', () => {
  test('is done while others write what has nothing to do with it', async () => {
    const api = await opened()
    const writes = keepWriting(api, 'elsewhere')
    const plan = await post(api, 'plan', asked)
    const before = writes()
    const deployed = await post(api, 'deploy', { ...asked, expect: plan.body.id })
    expect(deployed).toMatchObject({ status: 200 })
    expect(writes()).toBeGreaterThan(before)
  })

  test('is refused where what it depends on changes without an end', async () => {
    const api = await opened(hurried)
    const plan = await post(api, 'plan', asked)
    keepWriting(api, 'default')
    const refused = await post(api, 'deploy', { ...asked, expect: plan.body.id })
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'api/contended' } } })
    expect(api.registry.view.services.size).toBe(0)
  })
})
