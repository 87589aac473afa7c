// Files and secrets through the real command line, a real daemon and the embedded supervisor.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { filesArrive } from './arriving-files.js'
import { useHosts } from './host.js'

const openHost = useHosts()

test('files arrive with an instance, stay when the daemon is killed, and go with it', async () => {
  const host = openHost()
  const { ownDirectory } = await filesArrive(host, 'compute_type: process')
  expect(existsSync(dirname(ownDirectory))).toBe(false)
  // Nor is anything secret in what the store has on its disk.
  const kept = readdirSync(host.dataDir, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  )
  expect(kept.length).toBeGreaterThan(0)
  for (const file of kept)
    expect(readFileSync(join(file.parentPath, file.name)).includes('correct-horse-battery')).toBe(false)
})

test('a file at a path of the machine is refused where there is no namespace for it, and why is said', async () => {
  const host = openHost()
  await host.startDaemon()
  const text = (path: string): string =>
    `compute_type: process\ncommand: [/bin/sleep, "1000"]\nfiles: [{path: ${path}, content: root}]\n`
  const refused = await host.run('service', 'deploy', host.file('web.yml', text('/etc/shadow')))
  expect(refused.code).toBe(2)
  expect(refused.stderr).toMatch(/web\.yml:3:\d+ error .* \/etc\/shadow \[process\/file-path\]/)
  const plan = await host.run('service', 'deploy', '--plan', host.file('web.yml', text('etc/shadow')))
  expect(plan.code).toBe(0)
})
