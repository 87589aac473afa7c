// What shells offer while a command line is being typed.
import { accessSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { argumentNames, completionOf, namesOf } from '../../src/cli/completion.js'
import { openTerminal } from '../e2e/terminal.js'
import { wholeProgram } from '../main/whole-program.js'
import { removeDir } from '../remove-dir.js'
import { useProgram } from './program.js'
import { type SpeakingDaemon, startDaemon } from './speaking-daemon.js'

const offered = (...words: readonly string[]): readonly string[] =>
  completionOf(wholeProgram(), words).candidates.map(({ word }) => word)

test('nouns, verbs and options are offered as far as they are typed', () => {
  expect(offered('se')).toEqual(['service'])
  expect(offered('svc', 're')).toEqual(['revert', 'reprovision'])
  expect(offered('--project', 'shop', 'service', 'sta')).toEqual(['start'])
  expect(offered('service', 'logs', 'web', '--f')).toEqual(['--follow'])
  expect(offered('webhook', 'deliveries', '--state', 'd')).toEqual(['delivered', 'dead'])
  expect(offered('webhook', 'deliveries', '--state=q')).toEqual(['queued'])
  expect(offered('service', 'scale', '--', '--')).toEqual([])
})

test('values are offered of every option that has only some, one after the other where it takes several', () => {
  expect(offered('daemon', '--on-stop', '')).toEqual(['keep', 'drain', 'purge'])
  expect(offered('daemon', '--driver=d')).toEqual(['docker'])
  expect(offered('events', '--kind', 'machine-s')).toEqual(['machine-sick'])
  expect(offered('service', 'events', 'web', '--kind=deploy,re')).toEqual([
    'deploy,revert',
    'deploy,reprovision',
    'deploy,record',
  ])
  expect(offered('events', '--kind', 'revert,re')).toEqual(['revert,reprovision', 'revert,record'])
  expect(offered('daemon', '--agent-ttl', '')).toEqual([])
  expect(offered('daemon', '--insecure-listen', '')).toEqual([])
})

test('what is to be asked from the daemon, and for which project, is read from the line', () => {
  const asked = (...words: readonly string[]) => {
    const { names, files, globals, typed, head } = completionOf(wholeProgram(), words)
    return { names, files, globals, typed, head }
  }
  const nothing = { files: false, globals: {}, typed: '', head: '' }
  expect(asked('service', 'scale', '')).toEqual({ ...nothing, names: ['service'] })
  expect(asked('service', 'delete', 'web', 'd')).toEqual({ ...nothing, names: ['service'], typed: 'd' })
  expect(asked('volume', 'restore', '--from-backup', '3')).toMatchObject({ names: ['backup'], typed: '3' })
  expect(asked('volume', 'restore', '--from-backup', '3f0c', '')).toMatchObject({
    names: ['volume'],
    files: false,
  })
  expect(asked('service', 'get', 'web', '')).toEqual({ ...nothing, names: [] })
  expect(asked('service', 'deploy', '')).toEqual({ ...nothing, names: [], files: true })
  expect(asked('machine', 'drain', 'm1', '')).toEqual({ ...nothing, names: ['machine'] })
  expect(asked('-j', 'shop', 'service', 'reprovision', 'web', '--instance', 'w')).toEqual({
    ...{ ...nothing, names: ['instance'], typed: 'w' },
    globals: { project: 'shop' },
  })
  expect(asked('service', 'revert', 'web', '--previous=2')).toEqual({
    ...{ ...nothing, names: ['version'], typed: '2' },
    head: '--previous=',
  })
})

test('of every argument that a command has it is said what it names', () => {
  const unknown: string[] = []
  const look = (command: Command): void => {
    for (const argument of command.registeredArguments) {
      const noun = command.parent?.name() ?? ''
      const keys = [
        `${noun} ${command.name()} ${argument.name()}`,
        `${noun} ${argument.name()}`,
        argument.name(),
      ]
      if (!keys.some((key) => Object.hasOwn(argumentNames, key))) unknown.push(keys[0] ?? '')
      expect(namesOf(command, argument)).toBeDefined()
    }
    command.commands.forEach(look)
  }
  look(wholeProgram())
  expect(unknown).toEqual([])
})

const dir = mkdtempSync(join(tmpdir(), 'mariposa-completion-'))
const services = [
  { name: 'web', status: 'running' },
  { name: 'worker-of-all', status: 'stopped' },
]
let daemon: SpeakingDaemon

beforeAll(() => {
  // What is run is told, but for what the scripts ask; there a busy machine has all the time that it needs.
  const program = `${process.execPath} ${inject('program')}`
  const script = `#!/bin/sh
if [ "$1 $2" = 'completion words' ]; then shift 2; exec ${program} completion words --within 30s "$@"; fi
if [ "$1" = completion ]; then exec ${program} "$@"; fi
echo "ran: [$*]"
`
  writeFileSync(join(dir, 'mariposa'), script, { mode: 0o755 })
})

afterAll(() => removeDir(dir))

beforeEach(async () => {
  daemon = await startDaemon({
    'GET /v1/projects/default/services': services,
    'GET /v1/projects/default/services/web/versions': [
      { uuid: 'u', ordinal: 17, current: true, createdAt: '2026-01-01T00:00:00Z', sha1: '' },
    ],
  })
})

afterEach(() => daemon.close())

test('names come from the daemon that the line names, and none from one that does not answer', async () => {
  const { run } = useProgram()
  const words = (...more: readonly string[]) => run(['completion', 'words', '--within', '30s', '--', ...more])
  const { endpoint } = daemon
  expect(await words('--endpoint', endpoint, 'service', 'get', 'w')).toEqual({
    ...{ code: 0, stderr: '' },
    stdout: 'web\trunning\nworker-of-all\tstopped\n',
  })
  expect((await words('--endpoint', endpoint, 'service', 'version', '')).stdout).toBe(
    'web@\nworker-of-all@\n',
  )
  expect((await words('--endpoint', endpoint, 'service', 'version', 'web@')).stdout).toBe('web@17\tcurrent\n')
  expect((await words('--endpoint', endpoint, 'service', 'revert', 'web', '')).stdout).toBe('17\tcurrent\n')
  for (const nowhere of ['unix:///nowhere', 'http://127.0.0.1:1', 'no endpoint'])
    expect(await words('--endpoint', nowhere, 'service', 'get', '')).toEqual({
      code: 0,
      stderr: '',
      stdout: '',
    })
})

const shells = {
  bash: {
    argv: ['bash', '--norc', '--noprofile', '-i'],
    begin: "PS1='ready> '; source <(mariposa completion bash)\n",
  },
  zsh: {
    argv: ['zsh', '-f', '-i'],
    begin: "PS1='ready> '; autoload -Uz compinit; compinit -D -u; source <(mariposa completion zsh)\n",
  },
  fish: {
    argv: ['fish', '--no-config', '-i'],
    begin: "function fish_prompt; echo 'ready> '; end; mariposa completion fish | source\n",
  },
} as const

function isInstalled(shell: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => {
    try {
      accessSync(join(folder, shell))
      return true
    } catch {
      return false
    }
  })
}

for (const [shell, { argv, begin }] of Object.entries(shells)) {
  if (!isInstalled(shell)) continue
  describe(shell, () => {
    const open = (endpoint: string) => {
      const env = { PATH: `${dir}:${process.env['PATH']}`, MARIPOSA_ENDPOINT: endpoint, HOME: dir }
      const terminal = openTerminal(argv, env)
      terminal.type(begin)
      return terminal
    }

    test('completes verbs, options, names and versions on a terminal', async () => {
      const terminal = open(daemon.endpoint)
      await terminal.shows(/ready> [^;]*$/)
      terminal.type('mariposa service sc\two\t\n')
      await terminal.shows(/ran: \[service scale worker-of-all\]/)
      terminal.type('mariposa service version web@\t\n')
      await terminal.shows(/ran: \[service version web@17\]/)
      terminal.type('mariposa service revert web --prev\t17\n')
      await terminal.shows(/ran: \[service revert web --previous 17\]/)
      terminal.type('exit\n')
      await terminal.ended
    }, 120_000)

    test('shows no error where no daemon answers', async () => {
      const terminal = open('unix:///nowhere')
      await terminal.shows(/ready> [^;]*$/)
      terminal.type('mariposa service get \tx\n')
      await terminal.shows(/ran: \[service get x\]/)
      expect(terminal.text()).not.toMatch(/error|daemon|nowhere/i)
      terminal.type('exit\n')
      await terminal.ended
    }, 120_000)
  })
}
