// Two machines and the key of the secrets: which of them has it, where instances go meanwhile, and another key for both.
import { randomBytes } from 'node:crypto'
import { appendFileSync, copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MachineBody } from '../../src/contract/contract.js'
import type { Host } from './host.js'
import { idA, idB, usePairs } from './pair.js'

const pairs = usePairs()

const manifest = `compute_type: process
command: [/bin/sh, -c, 'test "$PASSWORD" = "correct horse" && exec sleep 1000']
environment: {PASSWORD: "{{ .meta.password }}"}
`

/** What each machine says of its keys, once that is as wanted. */
async function keysOf(host: Host, wanted: (machines: readonly MachineBody[]) => boolean) {
  while (true) {
    const { stdout } = await host.done('machine', 'list', '--json')
    const machines = JSON.parse(stdout) as readonly MachineBody[]
    if (wanted(machines)) return machines.map(({ id, secretKeys }) => [id, secretKeys?.problem ?? null])
  }
}

test('a machine without the key gets no instances that need it, and both take another one', async () => {
  const { a, b } = pairs.open()
  const [keyA, keyB] = [join(a.dir, 'secret.key'), join(b.dir, 'secret.key')]
  const daemonA = await a.startDaemon('--secret-key-file', keyA)
  const daemonB = await b.startDaemon('--secret-key-file', keyB)
  await a.done('meta', 'set', 'password', 'correct horse', '--secret')
  const isLacking = ({ secretKeys }: MachineBody) => (secretKeys?.problem ?? null) !== null
  expect(await keysOf(b, (machines) => machines.some(isLacking))).toEqual([
    [idA, null],
    [idB, 'no-key'],
  ])
  await daemonB.said('does not have the key of the secrets')
  const refused = await b.run('meta', 'set', 'password', 'two', '--secret', '--json')
  expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'secret/no-key' } })
  await b.done('service', 'deploy', b.file('web.yml', manifest), '--scale', '3')
  expect((await b.instances('web')).map(({ state, machine }) => [state, machine])).toEqual(
    Array(3).fill(['running', idA]),
  )

  copyFileSync(keyA, keyB)
  daemonB.signal('SIGHUP')
  await keysOf(a, (machines) => !machines.some(isLacking))
  await a.done('machine', 'cordon', idA)
  await a.done('service', 'scale', 'web', '4')
  expect((await a.instances('web')).filter(({ machine }) => machine === idB)).toHaveLength(1)

  appendFileSync(keyA, `${randomBytes(32).toString('base64')}\n`)
  const early = await a.run('meta', 'rotate', '--json')
  expect(JSON.parse(early.stdout)).toMatchObject({ error: { code: 'secret/not-everywhere' } })
  copyFileSync(keyA, keyB)
  for (const daemon of [daemonA, daemonB]) daemon.signal('SIGHUP')
  await keysOf(a, (machines) => machines.every(({ secretKeys }) => secretKeys?.fingerprints.length === 2))
  const rotated = JSON.parse((await a.done('meta', 'rotate', '--json')).stdout) as object
  expect(rotated).toMatchObject({ resealed: 1, made: [], lost: [] })
  await b.done('service', 'scale', 'web', '5')
  const states = (await b.instances('web')).map(({ state }) => state)
  expect(states).toEqual(Array(5).fill('running'))
})
