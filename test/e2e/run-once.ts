// What holds of `service run` under every driver. The service is `web`, with one instance, and the variables GREETING and WHO.
import { expect, it } from 'vitest'
import type { Host } from './host.js'

/** The tests; `open` deploys the service. */
export function describeRunOnce(open: () => Promise<Host>): void {
  const names = async (host: Host) => (await host.instances('web')).map(({ name }) => name)

  it('gives the program what the service has, hands on what it writes, and ends with its status', async () => {
    const host = await open()
    const script = 'echo "$GREETING $WHO"; echo oops >&2; exit 7'
    const ended = await host.run('service', 'run', 'web', '--set', 'WHO=all', '--', 'sh', '-c', script)
    expect(ended).toMatchObject({ code: 7, stdout: 'hello all\n', stderr: 'oops\n' })
    const told = await host.sawEvent(
      'web',
      ({ kind, instance }) => kind === 'instance-exited' && instance === 'web-2',
    )
    expect(told).toMatchObject({ message: 'web-2 exited with status 7', data: { exit: { code: 7 } } })
  })

  it('feeds the program its input to the end', async () => {
    const host = await open()
    const text = 'line\n'.repeat(20_000)
    const ended = await host.feed(text, 'service', 'run', 'web', '--', 'cat')
    expect(ended.code).toBe(0)
    expect(ended.stdout).toBe(text)
  })

  it('is seen beside the instances while it runs, counts as none of them, and is gone afterwards', async () => {
    const host = await open()
    const run = host.start('service', 'run', 'web', '--', 'sh', '-c', 'echo up; exec sleep 10000')
    await run.saw('up')
    expect(await names(host)).toEqual(['web-1', 'web-2'])
    const service = await host.service('web')
    expect(service).toMatchObject({ scale: 1, running: 1 })
    await host.done('service', 'reprovision', 'web')
    expect(await names(host)).toEqual(expect.arrayContaining(['web-2', 'web-3']))
    await host.done('service', 'scale', 'web', '0')
    expect(await names(host)).toContain('web-2')
    run.signal('SIGINT')
    await run.ended
    await expect.poll(() => names(host), { timeout: 20_000 }).not.toContain('web-2')
  })

  it('goes with its service, whose deletion is done once nothing of it is left', async () => {
    const host = await open()
    const run = host.start('service', 'run', 'web', '--', 'sh', '-c', 'echo up; exec sleep 10000')
    await run.saw('up')
    const refused = await host.run('service', 'delete', 'web')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('2 running instances')])
    await host.done('service', 'delete', 'web', '--force')
    const units = JSON.parse((await host.done('unit', 'list', '--json')).stdout) as readonly {
      name: string
    }[]
    expect(units.filter(({ name }) => name.startsWith('default.web.'))).toEqual([])
    expect((await run.ended).code).not.toBe(0)
  })

  it('ends quietly, and the program with it, when nobody reads any more what it writes', async () => {
    const host = await open()
    const run = host.start('service', 'run', 'web', '--', 'sh', '-c', 'while echo y; do :; done')
    await run.saw('y')
    run.hangUp()
    expect(await run.ended).toMatchObject({ code: 0, stderr: '' })
    await expect.poll(() => names(host), { timeout: 20_000 }).toEqual(['web-1'])
  })

  it('says why it does not run what is not there, and leaves nothing behind', async () => {
    const host = await open()
    const ended = await host.run('service', 'run', 'web', '--rm', '--', '/no/such/program')
    expect(ended.code).not.toBe(0)
    expect(ended.stderr).toContain('/no/such/program')
    await expect.poll(() => names(host), { timeout: 20_000 }).toEqual(['web-1'])
  })

  it('gives the program a terminal that is asked for', async () => {
    const host = await open()
    const ended = await host.run(
      'service',
      'run',
      '-t',
      'web',
      '--',
      'sh',
      '-c',
      'test -t 1 && echo "a terminal"',
    )
    expect(ended).toMatchObject({ code: 0, stdout: 'a terminal\r\n' })
  })
}
