// Services that come up after each other, through the real command line, daemon and programs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ServiceBody } from '../../src/contract/contract.js'
import { type Host, useHosts } from './host.js'

const openHost = useHosts()

/** Each program notes in one file that it has begun, and ended. */
function shop(notes: string, migration: string): string {
  const program = (name: string): string =>
    `command: [sh, "-c", "trap 'echo ${name} ends >> ${notes}; exit 0' TERM; echo ${name} >> ${notes}; while :; do sleep 0.1; done"]`
  return `defaults: {compute_type: process}
services:
  web:
    ${program('web')}
    after: [{service: migrate, condition: completed}, db]
  migrate:
    service_type: event
    command: [sh, "-c", "${migration}"]
    after: [{service: db, condition: healthy}]
  db:
    ${program('db')}
    healthchecks: [{type: command, command: [grep, -qx, db, "${notes}"]}]
`
}

const lines = (host: Host): readonly string[] =>
  readFileSync(join(host.dir, 'notes'), 'utf8').trim().split('\n')

describe('services that come up after each other', { timeout: 120_000 }, () => {
  test('are there one after the other when the deploy ends, and stop in the reverse order', async () => {
    const host = openHost()
    await host.startDaemon()
    const notes = host.file('notes', '')
    const file = host.file('shop.yml', shop(notes, `echo migrate >> ${notes}`))
    await host.done('service', 'deploy', file)
    expect(lines(host)).toEqual(['db', 'migrate', 'web'])
    await host.done('project', 'stop', 'default')
    expect(lines(host)).toEqual(['db', 'migrate', 'web', 'web ends', 'db ends'])
    await host.done('project', 'start', 'default')
    expect(lines(host).slice(5)).toEqual(['db', 'web'])
  })

  test('fail with the one that fails, which the command names', async () => {
    const host = openHost()
    await host.startDaemon()
    const notes = host.file('notes', '')
    const file = host.file('shop.yml', shop(notes, 'exit 7'))
    const failed = await host.run('service', 'deploy', file)
    expect(failed.code).toBe(1)
    expect(failed.stderr).toContain(
      'web waits for migrate to have completed: its run migrate-1 exited with status 7',
    )
    expect(lines(host)).toEqual(['db'])
    const listed = JSON.parse((await host.done('service', 'list', '--json')).stdout) as readonly ServiceBody[]
    expect(listed.find(({ name }) => name === 'web')).toMatchObject({
      running: 0,
      reason: expect.stringContaining('web waits for migrate to have completed'),
    })
    expect((await host.done('service', 'explain', 'web')).stdout).toContain('web waits for migrate')
  })

  test('are refused where one is not there, or they are in a circle, and nothing is changed', async () => {
    const host = openHost()
    await host.startDaemon()
    const of = (after: string): string =>
      host.file('web.yml', `name: web\ncompute_type: process\ncommand: sleep 1\nafter: ${after}\n`)
    const unknown = await host.run('service', 'deploy', of('[db]'))
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('there is no service "db"')])
    const circle = host.file(
      'circle.yml',
      'defaults: {compute_type: process, command: sleep 1}\nservices:\n  a: {after: b}\n  b: {after: a}\n',
    )
    const linted = await host.run('manifest', 'lint', circle)
    expect([linted.code, linted.stderr]).toEqual([
      2,
      expect.stringContaining('in a circle: a after b after a'),
    ])
    expect((await host.run('service', 'deploy', circle)).code).toBe(2)
    expect((await host.done('service', 'list', '-q')).stdout).toBe('')
  })
})
