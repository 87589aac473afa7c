// Lists on a terminal of 97 columns, and in a pipe.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTerminal } from '../e2e/terminal.js'
import { builtProgram } from './program.js'
import { startDaemon } from './speaking-daemon.js'

const file = join(import.meta.dirname, '../../dist/mariposa.js')

test('a reason that is too long is cut on a terminal, whole with -l and in a pipe', async () => {
  const reason = `first ${'and then '.repeat(20)}last`
  const service = {
    ...{ name: 'web', uuid: 'u', project: 'default', type: 'continuous', scale: 3, running: 2, healthy: 2 },
    ...{ version: 'v', ordinal: 1, image: 'registry.example/web:1', status: 'degraded', reason },
    ...{ frozen: false, autoscaled: false, restarts: 0, nextTryAt: null },
  }
  const daemon = await startDaemon({ 'GET /v1/projects/default/services': [service] })
  const list = ['--endpoint', daemon.endpoint, 'service', 'list']
  try {
    const narrow = openTerminal([process.execPath, file, ...list])
    expect(await narrow.ended).toBe(0)
    const lines = narrow.text().split(/\r?\n/)
    expect(lines.join('\n')).toMatch(/first .*…/)
    expect(Math.max(...lines.map(({ length }) => length))).toBe(97)
    const long = openTerminal([process.execPath, file, ...list, '-l'])
    await long.ended
    expect(long.text()).toContain(reason)
    expect((await builtProgram(file).run(list)).stdout).toContain(reason)
  } finally {
    await daemon.close()
  }
})
