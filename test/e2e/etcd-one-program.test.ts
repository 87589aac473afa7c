// Two programs of one unit never run beside each other: what comes in the place of a unit on another machine waits for it.
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { UnitDetails } from '../../src/contract/contract.js'
import { until } from './cluster.js'
import type { Host } from './host.js'
import { idA, idB, usePairs } from './pair.js'

const pairs = usePairs()

/** A program that notes its beginning and its end, for which it takes its time. */
const unit = (host: Host, notes: string, who: string, machine: string): string =>
  host.file(
    'lone.service',
    `[Service]
ExecStart=/bin/sh -c 'echo +${who} >> ${notes}; trap "sleep 2; echo -${who} >> ${notes}; exit 0" TERM; while :; do sleep 0.1; done'
[X-Fleet]
MachineID=${machine}
`,
  )

const notesOf = (file: string): readonly string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1)

const details = async (host: Host): Promise<UnitDetails> =>
  JSON.parse((await host.done('unit', 'status', 'lone', '--json')).stdout) as UnitDetails

describe('a unit of the same name', () => {
  test.each([
    ['on another machine, at once', idB],
    ['on the same machine, at once', idA],
  ])('%s, is started when the one before it is gone', async (_, machine) => {
    const { a, b } = pairs.open()
    await a.startDaemon()
    await b.startDaemon()
    const notes = join(a.dir, 'notes')
    appendFileSync(notes, '')
    await a.done('unit', 'start', unit(a, notes, 'old', idA))
    await until(() => expect(notesOf(notes)).toEqual(['+old']))
    await a.done('unit', 'destroy', 'lone', '--detach')
    await a.done('unit', 'start', unit(a, notes, 'new', machine))
    // Also where the daemon of its machine says no address to be asked at.
    for (const host of [a, b]) expect(await details(host)).toMatchObject({ machine, active: 'active' })
    await until(() => expect(notesOf(notes)).toEqual(['+old', '-old', '+new']))
  })

  test('is started and moved before anybody has said anything of it, and runs once', async () => {
    const { a, b } = pairs.open()
    await a.startDaemon()
    await b.startDaemon()
    const notes = join(a.dir, 'notes')
    appendFileSync(notes, '')
    await a.done('unit', 'start', unit(a, notes, 'old', idA), '--detach')
    await a.done('unit', 'destroy', 'lone', '--detach')
    await a.done('unit', 'start', unit(a, notes, 'new', idB))
    await until(() => expect(notesOf(notes).at(-1)).toBe('+new'))
    expect([['+new'], ['+old', '-old', '+new']]).toContainEqual(notesOf(notes))
  })

  test('says what it waits for, and waits no longer than until that machine is lost', async () => {
    const { a, b } = pairs.open()
    // Who is there first leads.
    await b.startDaemon('--agent-ttl', '20s')
    const daemon = await a.startDaemon('--agent-ttl', '20s')
    const notes = join(a.dir, 'notes')
    appendFileSync(notes, '')
    await b.done('unit', 'start', unit(b, notes, 'old', idA))
    await until(() => expect(notesOf(notes)).toEqual(['+old']))
    daemon.signal('SIGSTOP')
    await b.done('unit', 'destroy', 'lone', '--detach')
    await b.done('unit', 'start', unit(b, notes, 'new', idB), '--detach')
    await until(async () => {
      expect((await details(b)).reason).toMatch(/^it starts here when it has stopped on /)
    })
    expect(notesOf(notes)).toEqual(['+old'])
    await until(() => expect(notesOf(notes)).toContain('+new'))
    daemon.signal('SIGCONT')
    await until(() => expect(notesOf(notes)).toEqual(['+old', '+new', '-old']))
    expect(await details(b)).toMatchObject({ machine: idB, active: 'active' })
  })
})
