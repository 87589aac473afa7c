// Files that follow the metadata are written anew while their program runs, which is told, whatever driver runs it.
import { expect } from 'vitest'
import { until } from './cluster.js'
import type { Host } from './host.js'

/** A program that says what its files hold each time that it is sent SIGHUP. */
const manifest = (kind: string, paths: readonly string[], signalled: string): string => `${kind}
command:
  - /bin/sh
  - "-c"
  - 'n=0; trap "n=\\$((n+1)); echo told \\$n: \\$(cat ${signalled})" HUP; echo ready; while :; do sleep 1000 & wait $!; done'
files:
${paths.map((path) => `  - {path: ${path}, template: "{{ .meta.color }} {{ .meta.password }}", on_change: {signal: HUP}}\n`).join('')}
  - {path: other.conf, template: "{{ .meta.size }}"}
stop: {timeout: 1, preservestopped: "no"}
`

interface Following {
  readonly kind: string
  /** Paths of files. */
  readonly paths: readonly string[]
  /** The same as words of a shell. */
  readonly words: readonly string[]
}

/** Deploys, changes values, and looks at what the program was told and what is told of it. */
export async function filesFollow(host: Host, { kind, paths, words }: Following): Promise<void> {
  const daemon = await host.startDaemon()
  const set = async (key: string, value: string, ...more: string[]): Promise<void> => {
    await host.done('meta', 'set', key, value, ...more)
  }
  const told = async (): Promise<readonly string[]> => {
    const { stdout } = await host.done('service', 'logs', 'web')
    return Array.from(stdout.matchAll(/told \d+: .*$/gm), ([line]) => line)
  }
  const all = (text: string): string => Array(paths.length).fill(text).join('')
  await set('color', 'red')
  await set('size', 'small')
  await set('password', 'hidden-1', '--secret')
  await host.done('service', 'deploy', host.file('web.yml', manifest(kind, paths, words.join(' '))))
  await until(async () => expect((await host.done('service', 'logs', 'web')).stdout).toContain('ready'))
  const [before] = await host.instances('web')

  await set('color', 'a much longer colour')
  await until(async () => expect(await told()).toEqual([`told 1: ${all('a much longer colour hidden-1')}`]))
  await set('color', 'a much longer colour')
  await set('password', 'hidden-2', '--secret')
  const second = `told 2: ${all('a much longer colour hidden-2')}`
  await until(async () => expect((await told()).slice(1)).toEqual([second]))

  // A daemon that was killed begins with a look, and finds nothing new.
  daemon.signal('SIGKILL')
  await daemon.ended
  await host.startDaemon()
  await set('color', 'blue')
  await until(async () => expect((await told()).slice(2)).toEqual([`told 3: ${all('blue hidden-2')}`]))

  const [after] = await host.instances('web')
  expect(after).toMatchObject({ name: before?.name, restarts: 0 })
  const drifted = async (): Promise<unknown> =>
    (JSON.parse((await host.done('service', 'get', 'web', '--json')).stdout) as { drifted?: unknown }).drifted
  expect(await drifted()).toBeUndefined()
  await set('size', 'large')
  expect(await drifted()).toEqual(['meta.size'])
  const { stdout: events } = await host.done('events', '--kind', 'files-replaced')
  expect(events).toContain(`web-1 was sent SIGHUP: ${paths.join(', ')} was rewritten for meta.color`)
  expect(events).toContain('for meta.password')
  expect(events).not.toContain('hidden')
  await host.done('service', 'delete', 'web', '--force')
}
