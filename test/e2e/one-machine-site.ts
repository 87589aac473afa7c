// A site for scenarios that hold on one machine and on a cluster: this machine, under the embedded supervisor.
import { join } from 'node:path'
import { useHosts } from './host.js'
import type { Site } from './life.js'

/** A new one for each test of the file. */
export function openOneMachine(): () => Promise<Site> {
  const openHost = useHosts()
  return async () => {
    const host = openHost()
    let daemon = await host.startDaemon()
    return {
      node: process.execPath,
      socket: () => join(host.dir, 'mariposa.sock'),
      run: host.run,
      feed: host.feed,
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
  }
}
