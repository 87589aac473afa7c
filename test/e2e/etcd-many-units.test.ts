// More units in one command than etcd takes comparisons in one transaction, with names that no URL would hold.
import { expect, test } from 'vitest'
import type { UnitBody } from '../../src/contract/contract.js'
import { useClusters } from './cluster.js'

const openCluster = useClusters()

test('hundreds of units are started, waited for and destroyed by one command each', async () => {
  const [{ host }] = (await openCluster()).machines
  const numbers = Array.from({ length: 150 }, (_, n) => n)
  const names = numbers.map((n) => `${'one-of-many-'.repeat(10)}${n}.service`)
  // Each has a text of its own, which goes with it.
  const files = names.map((name, n) => host.file(name, `[Service]\nExecStart=/bin/sleep ${100_000 + n}\n`))

  await host.done('unit', 'start', ...files)
  const units = JSON.parse((await host.done('unit', 'files', '--json')).stdout) as UnitBody[]
  expect(units.map(({ name, state }) => [name, state])).toEqual(
    [...names].sort().map((name) => [name, 'launched']),
  )

  const refused = await host.run('unit', 'destroy', 'there-is-none.service', ...names)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('there is no unit "there-is-none.service"')
  expect(JSON.parse((await host.done('unit', 'files', '--json')).stdout)).toHaveLength(150)

  await host.done('unit', 'destroy', ...names)
  expect(JSON.parse((await host.done('unit', 'files', '--json')).stdout)).toEqual([])
})
