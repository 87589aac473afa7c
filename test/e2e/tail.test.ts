// The last lines of several instances together, and what is written after them.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from './cluster.js'
import { useHosts } from './host.js'

const openHost = useHosts()

test('the last lines of a service are those of all of its instances together, also where it is followed', async () => {
  const host = openHost()
  await host.startDaemon()
  const go = join(host.dir, 'go')
  const script = [
    `for i in 1 2 3; do echo "$NAME $i"; done; echo > ${join(host.dir, '$NAME')}`,
    `while [ ! -e ${go} ]; do sleep 0.1; done; echo "$NAME more"; exec sleep 10000`,
  ].join('; ')
  const manifest = `compute_type: process
command: [/bin/sh, "-c", ${JSON.stringify(script)}]
environment: {NAME: "{{ .instance.name }}"}
stop: {timeout: 1, preservestopped: "no"}
`
  await host.done('service', 'deploy', host.file('web.yml', manifest), '--scale', '2')
  await until(() => {
    expect(['web-1', 'web-2'].filter((name) => existsSync(join(host.dir, name)))).toHaveLength(2)
  })
  const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '')
  /** Of each instance its last lines, `count` of them together. */
  const expectLast = (told: readonly string[], count: number): void => {
    expect(told).toHaveLength(count)
    for (const name of ['web-1', 'web-2']) {
      const own = told.filter((line) => line.startsWith(`${name} | `))
      const written = [1, 2, 3].map((i) => `${name} | ${name} ${i}`)
      expect(own).toEqual(written.slice(written.length - own.length))
    }
  }
  for (const count of [1, 4, 6])
    expectLast(lines((await host.done('service', 'logs', 'web', '--tail', String(count))).stdout), count)
  const follower = host.start('service', 'logs', 'web', '--tail', '4', '--follow')
  // Each has at least its last line among four of six.
  for (const name of ['web-1', 'web-2']) await follower.saw(`${name} 3`)
  host.file('go', '')
  const more = ['web-1', 'web-2'].map((name) => `${name} | ${name} more`)
  for (const line of more) await follower.saw(line)
  follower.signal('SIGINT')
  const told = lines((await follower.ended).stdout)
  expectLast(
    told.filter((line) => !more.includes(line)),
    4,
  )
})
