// Programs beside an instance, with the process driver.
import { join } from 'node:path'
import { describe } from 'vitest'
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
})
