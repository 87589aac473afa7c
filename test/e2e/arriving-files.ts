// Files and secrets arrive with an instance and go with it, whatever driver runs it.
import { expect } from 'vitest'
import type { Host } from './host.js'

const manifest = (kind: string): string => `${kind}
command: [/bin/sh, "-c", "exec sleep 1000"]
files:
  - {path: etc/app.conf, template: "{{ .meta.domain }} {{ .meta.password }} {{ .instance.name }} at {{ .files.dir }}"}
  - {path: as/it/is, content: "{{ .meta.domain }} 100% $HOME", mode: 0640}
secrets: [password, {meta: domain, name: where}]
stop: {timeout: 1, preservestopped: "no"}
`

const password = 'correct-horse-battery'

/** Deploys, looks at the files from inside, kills the daemon, changes a value, and deletes the service. */
export async function filesArrive(host: Host, kind: string): Promise<{ readonly ownDirectory: string }> {
  const inside = async (script: string): Promise<string> => {
    const [instance] = await host.instances('web')
    return (await host.done('service', 'exec', instance?.name ?? '', '--', 'sh', '-c', script)).stdout
  }
  const daemon = await host.startDaemon()
  await host.done('meta', 'set', 'domain', 'shop.example')
  await host.done('meta', 'set', 'password', password, '--secret')
  const file = host.file('web.yml', manifest(kind))
  await host.done('service', 'deploy', file)
  const ownDirectory = (await inside('printf %s "$MARIPOSA_FILES_DIR"')).trim()
  const read = 'cd "$MARIPOSA_FILES_DIR" && cat etc/app.conf && echo && cat as/it/is'
  const expected = `shop.example ${password} web-1 at ${ownDirectory}\n{{ .meta.domain }} 100% $HOME`
  expect(await inside(read)).toBe(expected)
  expect(await inside('cat "$MARIPOSA_SECRETS_DIR/password"')).toBe(password)
  expect(await inside('cat "$MARIPOSA_SECRETS_DIR/where"')).toBe('shop.example')
  expect(await inside('ls -l "$MARIPOSA_FILES_DIR/as/it/is"')).toMatch(/^-rw-r-----/)
  await tellNothing(host)

  daemon.signal('SIGKILL')
  await daemon.ended
  await host.startDaemon()
  expect(await inside(read)).toBe(expected)

  await host.done('meta', 'set', 'password', 'other', '--secret')
  expect(await inside('cat "$MARIPOSA_SECRETS_DIR/password"')).toBe(password)
  await host.done('service', 'deploy', '--refresh', file)
  expect(await inside('cat "$MARIPOSA_SECRETS_DIR/password"')).toBe('other')
  await host.done('service', 'delete', 'web', '--force')
  return { ownDirectory }
}

/** What is secret is in nothing that anybody can ask for. */
async function tellNothing(host: Host): Promise<void> {
  const [unit] = JSON.parse((await host.done('unit', 'list', '--json')).stdout) as { name: string }[]
  for (const words of [
    ['service', 'get', 'web'],
    ['service', 'versions', 'web'],
    ['service', 'instances', 'web'],
    ['unit', 'cat', unit?.name ?? ''],
    ['unit', 'list'],
    ['events'],
    ['meta', 'list'],
  ]) {
    const { code, stdout } = await host.run(...words, '--json')
    expect({ words, code }).toEqual({ words, code: 0 })
    expect(stdout).not.toContain(password)
  }
}
