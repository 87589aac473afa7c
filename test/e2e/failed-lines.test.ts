// What a deploy that failed shows of its reason, beside instances that failed before.
import { expect, test } from 'vitest'
import { useHosts } from './host.js'

const openHost = useHosts()

function unhealthy(says: string): string {
  return `compute_type: process
command: [/bin/sh, "-c", "while :; do echo ${says}; sleep 0.1; done"]
healthchecks: [{type: command, command: [/bin/false], poll: 1, timeout: 1, retries: 1}]
stop: {preservestopped: always, timeout: 1}
`
}

test('a deploy that fails shows the lines of the instance that failed, and of none before', async () => {
  const host = openHost()
  await host.startDaemon()
  for (const says of ['older', 'newer']) {
    const failed = await host.run('service', 'deploy', host.file('web.yml', unhealthy(says)))
    expect(failed.code).toBe(1)
    const [, name = ''] = /web: deploy failed: (web-\d+) is unhealthy/.exec(failed.stderr) ?? []
    expect(failed.stderr).toContain(`${name} | ${says}`)
    const shown = [...failed.stderr.matchAll(/(web-\d+) \| (\w+)/g)].map(([, of, line]) => `${of} ${line}`)
    expect([...new Set(shown)]).toEqual([`${name} ${says}`])
  }
}, 120_000)
