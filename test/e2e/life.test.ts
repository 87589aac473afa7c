// The life of a service on one machine, under the embedded supervisor.
import { join } from 'node:path'
import { useHosts } from './host.js'
import { describeLife } from './life.js'

const openHost = useHosts()

describeLife('one machine', async () => {
  const host = openHost()
  let daemon = await host.startDaemon()
  return {
    node: process.execPath,
    socket: () => join(host.dir, 'mariposa.sock'),
    run: host.run,
    start: host.start,
    file: host.file,
    hostOf: () => '127.0.0.1',
    killProgram: ({ pid }) => void process.kill(pid ?? Number.NaN, 'SIGKILL'),
    killLeader: async () => {
      daemon.signal('SIGKILL')
      await daemon.ended
      daemon = await host.startDaemon()
    },
  }
})
