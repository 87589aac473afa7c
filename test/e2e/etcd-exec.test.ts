// Programs beside an instance on another machine than that whose daemon is asked.
import { join } from 'node:path'
import { describe } from 'vitest'
import { describeExecFaults } from './exec-faults.js'
import { describeExecTerminal } from './exec-terminal.js'
import { usePairs } from './pair.js'

const pairs = usePairs()

describe('exec across machines', () => {
  const open = () => pairs.openAcross('compute_type: process\ncommand: [/bin/sleep, "10000"]\n')
  describeExecFaults(open)
  describeExecTerminal(open, () => join(import.meta.dirname, '../../dist/mariposa.js'))
})
