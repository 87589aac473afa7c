import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useHosts } from './host.js'
import { linesOf } from './named-volumes.js'
import { keepsSlots } from './slot-volumes.js'

const openHost = useHosts()

test('each slot has a volume of its own, which the next instance of that slot finds again', async () => {
  const host = openHost()
  const dir = join(host.dataDir, 'volumes/default/db')
  await keepsSlots(host, 'compute_type: process', async (slot) =>
    linesOf(join(dir, `data.${slot}`, 'data/lines')),
  )
  expect(existsSync(dir)).toBe(false)
})
