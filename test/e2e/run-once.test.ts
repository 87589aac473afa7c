// Programs that run once as instances of a service, with the process driver.
import { describe, expect, it } from 'vitest'
import { type Host, useHosts } from './host.js'
import { describeRunOnce } from './run-once.js'

const openHost = useHosts()

const lasting = `compute_type: process
command: [/bin/sleep, "10000"]
environment: {GREETING: hello, WHO: world}
files: [{path: note.txt, content: "from a file"}]
`

describe('service run with processes', () => {
  const open = async (): Promise<Host> => {
    const host = openHost()
    await host.startDaemon()
    await host.done('service', 'deploy', host.file('web.yml', lasting))
    return host
  }
  describeRunOnce(open)

  it('finds the files of the service where its variables say', async () => {
    const host = await open()
    const said = await host.done(
      'service',
      'run',
      'web',
      '--',
      'sh',
      '-c',
      'cat "$MARIPOSA_FILES_DIR/note.txt"',
    )
    expect(said.stdout).toBe('from a file')
  })

  it('takes away what an earlier daemon has left', async () => {
    const host = openHost()
    const daemon = await host.startDaemon()
    await host.done('service', 'deploy', host.file('web.yml', lasting))
    const run = host.start('service', 'run', 'web', '--', 'sh', '-c', 'echo up; exec sleep 10000')
    await run.saw('up')
    daemon.signal('SIGKILL')
    await daemon.ended
    expect((await run.ended).code).not.toBe(0)
    await host.startDaemon()
    await expect
      .poll(() => host.instances('web').then((all) => all.map(({ name }) => name)))
      .toEqual(['web-1'])
  })
})
