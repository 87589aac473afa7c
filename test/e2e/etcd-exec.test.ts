// Programs beside an instance on another machine than that whose daemon is asked.
import { join } from 'node:path'
import { describe } from 'vitest'
import { freePort } from '../free-port.js'
import { describeExecFaults } from './exec-faults.js'
import { describeExecTerminal } from './exec-terminal.js'
import { idA, usePairs } from './pair.js'

const pairs = usePairs()
const lasting = 'compute_type: process\ncommand: [/bin/sleep, "10000"]\n'

describe('exec across machines', () => {
  const open = async () => {
    const { a, b } = pairs.open()
    const listening = async () => {
      const address = `127.0.0.1:${await freePort()}`
      return ['--listen', `tcp://${address}`, '--advertise', `http://${address}`]
    }
    const daemons = [await a.startDaemon(...(await listening())), await b.startDaemon(...(await listening()))]
    await a.done('machine', 'cordon', idA)
    await a.done('service', 'deploy', a.file('web.yml', lasting))
    return { host: a, socketPath: a.socketPath, daemons }
  }
  describeExecFaults(open)
  describeExecTerminal(open, () => join(import.meta.dirname, '../../dist/mariposa.js'))
})
