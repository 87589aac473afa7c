// Programs beside an instance, with the process driver.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtProgram } from '../cli/program.js'
import { describeExecFaults } from './exec-faults.js'
import { describeExecTerminal } from './exec-terminal.js'
import { useHosts } from './host.js'

const openHost = useHosts()
const lasting = 'compute_type: process\ncommand: [/bin/sleep, "10000"]\n'

describe('exec beside a process', () => {
  const open = async () => {
    const host = openHost()
    const daemon = await host.startDaemon()
    await host.done('service', 'deploy', host.file('web.yml', lasting))
    return { host, socketPath: host.socketPath, daemons: [daemon] }
  }
  describeExecFaults(open)
  describeExecTerminal(open, () => join(import.meta.dirname, '../../dist/mariposa.js'))

  const endless = ['service', 'exec', 'web-1', '--', 'sh', '-c', 'while echo y; do :; done']

  test.each(['stdout', 'stderr'] as const)('ends quietly when nobody reads its %s any more', async (name) => {
    const { host } = await open()
    const argv = name === 'stdout' ? endless : [...endless.slice(0, -1), 'exec >&2; while echo y; do :; done']
    const running = host.start(...argv)
    await (name === 'stdout' ? running.saw('y') : running.said('y'))
    running.hangUp(name)
    const { code, stdout, stderr } = await running.ended
    expect([code, name === 'stdout' ? stderr : stdout]).toEqual([0, ''])
    expect(stderr).not.toContain('bug')
  })

  test('fails with words where what it writes finds no room', async () => {
    const { socketPath } = await open()
    const toFull = () => ['sh', '-c', '"$@" >/dev/full', 'sh']
    const full = builtProgram(join(import.meta.dirname, '../../dist/mariposa.js'), toFull)
    const { code, stderr } = await full.run(['--endpoint', `unix://${socketPath}`, ...endless])
    expect(stderr).toMatch(/^mariposa: cannot write the output: ENOSPC[^\n]*\n$/)
    expect(code).toBe(1)
  })
})
