// An agent tells which values of metadata it filled in when it started an instance last, so that it is known what that runs with.
import { expect, test } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import { absentUnit } from '../../src/agent/report.js'
import type { Meta } from '../../src/model/meta.js'
import { madeOf } from '../../src/model/meta-fingerprints.js'
import type { ObservedUnit } from '../../src/model/unit.js'
import type { SecretBox } from '../../src/store/io/secret-box.js'
import { decode, keys, putOf } from '../../src/store/records.js'
import { unitHash } from '../../src/unit/print.js'
import { idle, machine, name, openRecords, startWith, want } from './small-agent.js'

const text = `[Container]
Image=app:1

[X-Mariposa]
Project=shop
Environment="PASSWORD={{ meta.password }}"
`
const instance = { project: 'shop', service: 'web', name: 'web-1', n: 1, uuid: 'i-1', version: 'v-1' }
const secret: Meta = {
  project: 'shop',
  key: 'password',
  value: 'sealed',
  casId: 'c-1',
  secret: true,
  updatedAt: 0,
}

test('an instance is reported with the write that its secret came with, and without the secret', async () => {
  const registry = await openRecords()
  await want(registry, text, 'launched')
  const unit = { name, hash: unitHash(text), desired: 'launched' as const, instance, createdAt: 0 }
  await registry.commit([], [putOf('unit', unit)])
  await registry.decide(() => ({ decidedOn: [], ops: [putOf('meta', secret)] }))
  const told = new Promise<string>((resolve) => {
    registry.onChange((_, changes) => {
      for (const change of changes) {
        if (change.key !== keys.report(machine, name) || change.type !== 'put') continue
        if (decode('report', change.entry).madeOf !== undefined) resolve(change.entry.value)
      }
    })
  })
  const loaded: unknown[] = []
  let seen: ObservedUnit = absentUnit(name, 'docker')
  const driver: Driver = {
    ...idle,
    load: async ({ secrets, hash }) => {
      loaded.push(secrets)
      seen = { ...seen, load: 'loaded', hash }
    },
    start: async () => {
      seen = { ...seen, active: 'active', sub: 'running', since: 1 }
    },
    observe: async () => seen,
  }
  const secrets = { open: () => 'correct horse' } as unknown as SecretBox
  const agent = await startWith(registry, driver, { secrets })
  const report = await told
  expect(JSON.parse(report)).toMatchObject({ madeOf: madeOf(['password'], new Map([['password', secret]])) })
  expect(report).not.toContain('correct horse')
  expect(loaded[0]).toEqual({ PASSWORD: 'correct horse' })
  await agent.stop()
  await registry.close()
})
