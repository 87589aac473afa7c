// Programs that have to end well before a program starts, through the real command line, daemon and supervisor.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useHosts } from './host.js'

const openHost = useHosts()

const manifest = (notes: string, steps: string, main: string): string => `name: web
compute_type: process
environment: {WORD: hello}
command: [sh, "-c", "echo main >> ${notes}; ${main}"]
init:
${steps}
`

describe('init steps', { timeout: 120_000 }, () => {
  test('run one after the other before each start of the program, with its environment', async () => {
    const host = openHost()
    await host.startDaemon()
    const notes = host.file('notes', '')
    const steps = `  - command: [sh, "-c", "echo first $WORD >> ${notes}"]\n  - command: [sh, "-c", "echo second >> ${notes}"]`
    const ended = 'test $(grep -c main \\"$0\\") -gt 1 || exit 1; exec sleep 1000'
    const text = manifest(notes, steps, ended).replace('sleep 1000"]', `sleep 1000", "${notes}"]`)
    await host.done('service', 'deploy', host.file('web.yml', text))
    const start = ['first hello', 'second', 'main']
    expect(readFileSync(join(host.dir, 'notes'), 'utf8').trim().split('\n')).toEqual([...start, ...start])
  })

  test('fail the deploy where one fails, with what it wrote and its status; the program is not started', async () => {
    const host = openHost()
    await host.startDaemon()
    const notes = host.file('notes', '')
    const steps = '  - command: [sh, "-c", "echo cannot reach the database; exit 4"]'
    const failed = await host.run(
      'service',
      'deploy',
      host.file('web.yml', `${manifest(notes, steps, 'sleep 1000')}restart: "no"\n`),
    )
    expect(failed.code).toBe(1)
    expect(failed.stderr).toContain('ExecStartPre= failed: sh exited with status 4')
    expect(failed.stderr).toContain('cannot reach the database')
    expect(readFileSync(join(host.dir, 'notes'), 'utf8')).toBe('')
  })

  test('fail where one takes too long', async () => {
    const host = openHost()
    await host.startDaemon()
    const notes = host.file('notes', '')
    const text = `${manifest(notes, '  - sleep 1000', 'sleep 1000')}init_timeout: 1\nrestart: "no"\n`
    const failed = await host.run('service', 'deploy', host.file('web.yml', text))
    expect([failed.code, failed.stderr]).toEqual([
      1,
      expect.stringContaining('the unit did not start within TimeoutStartSec='),
    ])
  })
})
