// Completing command lines: what commands know, and names that the daemon knows.
import type { Command } from 'commander'
import type { Client } from '../../client/io/client.js'
import { nameWithSlot } from '../../model/volume.js'
import { CommandError, exitCodes } from '../command-error.js'
import { type Candidate, type Completion, completionOf, type NameKind } from '../completion.js'
import { filesMark, type ShellName, scripts } from '../completion-scripts.js'
import { type Globals, readGlobals } from '../global-options.js'
import { clientOf, currentAccount, printJson, type Shell } from './shell.js'

export function printScript(shell: Shell, name: ShellName): Promise<number> {
  if (shell.globals.json) printJson(shell, { shell: name, script: scripts[name] })
  else shell.terminal.out(scripts[name])
  return Promise.resolve(exitCodes.done)
}

/** A line for each, with what it is behind a tab. People wait for the next key: a daemon has `withinMs` to tell names. */
export async function printWords(
  shell: Shell,
  program: Command,
  words: readonly string[],
  withinMs: number,
): Promise<number> {
  const completion = completionOf(program, words)
  const { head, typed, candidates, files } = completion
  const names = (await namesFor(completion, withinMs)).filter(({ word }) => word.startsWith(typed))
  const all = [...candidates, ...names].map(({ word, about }) => ({ word: `${head}${word}`, about }))
  if (shell.globals.json) printJson(shell, { words: all, files })
  else shell.terminal.out([...all.map(lineOf), ...(files ? [`${filesMark}\n`] : [])].join(''))
  return exitCodes.done
}

function lineOf({ word, about }: Candidate): string {
  return about === '' ? `${word}\n` : `${word}\t${about}\n`
}

/** What cannot be asked for in time, or at all, is left out: who is typing has not asked for an error. */
async function namesFor(
  { names, globals: raw, args, typed }: Completion,
  withinMs: number,
): Promise<readonly Candidate[]> {
  if (names.length === 0) return []
  const globals = readGlobals(raw, currentAccount())
  if (globals instanceof CommandError) return []
  const signal = AbortSignal.timeout(withinMs)
  try {
    const client = clientOf(globals, {})
    const asked = names.map((kind) => askers[kind]({ client, globals, args, typed, signal }))
    return (await Promise.all(asked)).flat()
  } catch {
    return []
  }
}

interface Question {
  readonly client: Client
  readonly globals: Globals
  readonly args: readonly string[]
  readonly typed: string
  readonly signal: AbortSignal
}

const askers: Readonly<Record<NameKind, (question: Question) => Promise<readonly Candidate[]>>> = {
  service: async ({ client, globals, signal }) =>
    (await client.services(globals.project, signal)).map(({ name, status }) => ({
      word: name,
      about: status,
    })),
  instance: async ({ client, globals, signal }) =>
    (await client.instances(globals.project, null, signal)).map(({ name, state }) => ({
      word: name,
      about: state,
    })),
  machine: async ({ client, signal }) =>
    (await client.machines(signal)).map(({ hostname, ip }) => ({ word: hostname, about: ip })),
  version: versions,
  task: async ({ client, globals, signal }) =>
    (await client.tasks(globals.project, signal)).map(({ uuid, task, scope, state }) => ({
      word: uuid,
      about: `${task} ${scope}, ${state}`,
    })),
  project: async ({ client, signal }) =>
    (await client.projects(signal)).map(({ name, status }) => ({ word: name, about: status })),
  unit: async ({ client, signal }) =>
    (await client.units(signal)).map(({ name, active }) => ({ word: name, about: active ?? '' })),
  volume: async ({ client, globals, signal }) =>
    (await client.volumes({ project: globals.project }, signal)).volumes.map(
      ({ uuid, service, name, hostname, state }, _at, all) => {
        const isAlone = all.filter((one) => one.service === service && one.name === name).length === 1
        const word = isAlone ? `${service}.${name}` : uuid
        return { word, about: `${service}.${name} on ${hostname}, ${state}` }
      },
    ),
  backup: async ({ client, globals, signal }) =>
    (await client.volumeBackups(globals.project, undefined, signal)).flatMap((one) =>
      one.id === null ? [] : [{ word: one.id, about: `${one.service}.${nameWithSlot(one)} of ${one.dueAt}` }],
    ),
  key: async ({ client, globals, signal }) =>
    (await client.meta(globals.project, signal)).map(({ key }) => ({ word: key, about: '' })),
}

/** Ordinals where the service is named already, else `service@ordinal`: first the service, then which of its versions. */
async function versions(question: Question): Promise<readonly Candidate[]> {
  const { client, globals, args, typed, signal } = question
  const named = args[0] !== undefined && !args[0].includes('@') ? args[0] : null
  const service = named ?? /^(.+)@/.exec(typed)?.[1]
  if (service === undefined)
    return (await askers.service(question)).map(({ word }) => ({ word: `${word}@`, about: '' }))
  return (await client.versions(globals.project, service, signal)).map(({ ordinal, current, createdAt }) => ({
    word: named === null ? `${service}@${ordinal}` : String(ordinal),
    about: current ? 'current' : createdAt,
  }))
}
