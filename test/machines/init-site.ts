// A service of containers with init steps for the tests of them. Notes are taken in a directory of the host, so that it is seen
// what ran, and how often.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Host } from '../e2e/host.js'
import { testImage } from './docker-host.js'

/** Each test has a project of its own: the Docker is the same for all. */
let projects = 0
export interface Site {
  readonly host: Host
  readonly project: string
  readonly notes: () => readonly string[]
  readonly go: () => void
  readonly deploy: (steps: readonly Step[], ...more: readonly string[]) => readonly string[]
}

/** A shell's command, in the image of the service or in one of its own. */
export type Step = string | { readonly image: string; readonly run: string }

function lineOf(step: Step): string {
  const { image, run } = typeof step === 'string' ? { image: null, run: step } : step
  const command = `  - command: [/bin/sh, "-c", ${JSON.stringify(run)}]`
  return image === null ? command : `${command}\n    image: ${JSON.stringify(image)}`
}

export function siteOn(host: Host): Site {
  projects += 1
  const project = `init-${process.pid}-${projects}`
  const dir = join(host.dir, 'notes')
  mkdirSync(dir)
  writeFileSync(join(dir, 'notes'), '')
  chmodSync(dir, 0o777)
  chmodSync(join(dir, 'notes'), 0o666)
  const deploy = (steps: readonly Step[], ...more: readonly string[]): readonly string[] => {
    const lines = [
      'name: web',
      `image: ${testImage}`,
      `command: [/bin/sh, "-c", "echo main >> /notes/notes; exec sleep 1000"]`,
      'environment: {WORD: hello}',
      'user: "1000:1000"',
      `volumes: ["${dir}:/notes", {name: data, path: /data, scope: service}]`,
      'files: [{path: /etc/greeting, content: "from a file"}]',
      'stop: {timeout: 1}',
      'init:',
      ...steps.map(lineOf),
      ...more,
    ]
    return ['-j', project, 'service', 'deploy', host.file('web.yml', `${lines.join('\n')}\n`)]
  }
  const notes = (): readonly string[] =>
    readFileSync(join(dir, 'notes'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  return { host, project, notes, deploy, go: () => writeFileSync(join(dir, 'go'), '') }
}
