// Programs beside an instance on another machine than that whose daemon is asked.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeExecFaults } from './exec-faults.js'
import { describeExecTerminal } from './exec-terminal.js'
import { usePairs } from './pair.js'

const pairs = usePairs()

describe('exec across machines', () => {
  const open = () => pairs.openAcross('compute_type: process\ncommand: [/bin/sleep, "10000"]\n')
  describeExecFaults(open)
  describeExecTerminal(open, () => join(import.meta.dirname, '../../dist/mariposa.js'))

  test('say which daemon is gone, where it is not the one that was asked', async () => {
    const { host, daemons } = await open()
    const deployed = host.start('service', 'exec', 'web-1', '--', 'sh', '-c', 'echo begun; exec sleep 1000')
    await deployed.saw('begun')
    const one = host.start('service', 'run', 'web', '--', 'sh', '-c', 'echo begun; exec sleep 1000')
    await one.saw('begun')
    daemons[1]?.signal('SIGKILL')
    for (const program of [deployed, one]) {
      const { code, stderr } = await program.ended
      expect(code).toBe(1)
      expect(stderr).toMatch(/contact with \S+ is lost, and what becomes of the program there is not known/)
      expect(stderr).toMatch(/mariposa machine show \S+ shows how it is/)
    }
  })
})
