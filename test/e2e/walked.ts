// Commands that are run one after the other, and which of the words that a noun offers they have left out.
import { Command } from 'commander'
import { expect } from 'vitest'
import { addDnsVerbs } from '../../src/cli/io/dns-verbs.js'
import { addEntryVerbs } from '../../src/cli/io/entry-verbs.js'
import { addEventsVerb } from '../../src/cli/io/events-verb.js'
import { addImageVerbs } from '../../src/cli/io/image-verbs.js'
import { addMetaVerbs } from '../../src/cli/io/meta-verbs.js'
import { giveAllOptions } from '../../src/cli/io/program.js'
import { addProjectVerbs } from '../../src/cli/io/project-verbs.js'
import { addQueueVerbs } from '../../src/cli/io/queue-verbs.js'
import { addServiceVerbs } from '../../src/cli/io/service-verbs.js'
import { addSimulateVerb } from '../../src/main/simulate-verb.js'
import type { Run, RunningProgram } from '../cli/program.js'
import type { Site } from './life.js'

export type Noun =
  | 'service'
  | 'project'
  | 'meta'
  | 'queue'
  | 'events'
  | 'dns'
  | 'entry'
  | 'simulate'
  | 'image'

const nouns: Readonly<Record<Noun, (program: Command) => void>> = {
  service: addServiceVerbs,
  project: addProjectVerbs,
  meta: addMetaVerbs,
  queue: addQueueVerbs,
  events: addEventsVerb,
  dns: addDnsVerbs,
  entry: addEntryVerbs,
  simulate: addSimulateVerb,
  image: addImageVerbs,
}

/** The options of all verbs that wait: once with one of them is enough. */
const waiting = ['--detach', '--timeout']

/** A walk through the commands of a noun, each in a project of its own. */
export interface Walk {
  /** Runs a command that has to end well; returns what it printed. */
  done(...words: readonly string[]): Promise<string>
  /** The same, with something on its standard input. */
  fed(stdin: string, ...words: readonly string[]): Promise<string>
  /** The same with `--json`. */
  json<T>(...words: readonly string[]): Promise<T>
  /** Runs a command that has to end with this status; returns what it said on standard error. */
  fails(code: number, ...words: readonly string[]): Promise<string>
  /** The same with `--json`: the error is the only thing on standard output, and a text for people beside it. */
  error(code: number, ...words: readonly string[]): Promise<{ code: string; message: string }>
  /** Starts a command that goes on until Ctrl-C. */
  following(...words: readonly string[]): RunningProgram
  /** What the noun offers and nobody has used: verbs by each of their names, their options, and `--json`. */
  leftOut(noun: Noun, except?: readonly string[]): readonly string[]
}

export function startWalk(site: Site, project: string): Walk {
  const used: (readonly string[])[] = []
  const worded = (words: readonly string[]): readonly string[] => {
    used.push(words)
    const end = words.indexOf('--')
    const at = end < 0 ? words.length : end
    return [...words.slice(0, at), '--project', project, ...words.slice(at)]
  }
  const run = (...words: readonly string[]): Promise<Run> => site.run(...worded(words))
  const done = async (...words: readonly string[]): Promise<string> => succeeded(words, await run(...words))
  return {
    done,
    fed: async (stdin, ...words) => succeeded(words, await site.feed(stdin, ...worded(words))),
    json: async <T>(...words: readonly string[]) => JSON.parse(await done(...words, '--json')) as T,
    fails: async (code, ...words) => {
      const ended = await run(...words)
      expect({ words, code: ended.code, stderr: ended.stderr }).toMatchObject({ words, code })
      expect(ended.stderr).not.toMatch(/\n {4}at /)
      return ended.stderr
    },
    error: async (code, ...words) => {
      const ended = await run(...words, '--json')
      expect({ words, code: ended.code }).toEqual({ words, code })
      const { error } = JSON.parse(ended.stdout) as { error: { code: string; message: string } }
      expect(Object.keys(error)).toEqual(expect.arrayContaining(['code', 'message', 'details']))
      expect(ended.stderr).toContain(error.message)
      return error
    },
    following: (...words) => site.start(...worded(words)),
    leftOut: (noun, except = []) => {
      const offered = offeredBy(noun)
      return offered
        .filter(({ is }) => !used.some(is))
        .flatMap(({ word }) => (except.includes(word) ? [] : [word]))
    },
  }
}

function succeeded(words: readonly string[], { code, stdout, stderr }: Run): string {
  if (code !== 0) throw new Error(`${words.join(' ')}: exit ${code}\n${stdout}\n${stderr}`)
  return stdout
}

interface Offered {
  readonly word: string
  readonly is: (words: readonly string[]) => boolean
}

/** Each spelling of a noun, of each of its verbs, and each option of those. */
function offeredBy(noun: Noun): readonly Offered[] {
  const program = new Command()
  nouns[noun](program)
  const [root] = program.commands
  if (root === undefined) throw new Error(`there is no ${noun}`)
  giveAllOptions(root)
  const names = [root.name(), ...root.aliases()]
  const isNoun = (words: readonly string[]): boolean => names.includes(words[0] ?? '')
  const spelled = names.map((word) => ({ word, is: (words: readonly string[]) => words[0] === word }))
  if (root.commands.length === 0) return [...spelled, ...optionsOf(root, root.name(), isNoun)]
  const waits = waiting.map((option) => ({
    word: `${noun} ${option}`,
    is: (words: readonly string[]) => isNoun(words) && words.includes(option),
  }))
  const isWaited = root.commands.some(({ options }) => options.some(({ long }) => long === '--detach'))
  return [
    ...spelled,
    ...root.commands.flatMap((verb) => verbWords(verb, noun, isNoun)),
    ...(isWaited ? waits : []),
  ]
}

function verbWords(
  verb: Command,
  noun: string,
  isNoun: (words: readonly string[]) => boolean,
): readonly Offered[] {
  const names = [verb.name(), ...verb.aliases()]
  const isVerb = (words: readonly string[]): boolean => isNoun(words) && names.includes(words[1] ?? '')
  return [
    ...names.map((name) => ({
      word: `${noun} ${name}`,
      is: (words: readonly string[]) => isNoun(words) && words[1] === name,
    })),
    ...optionsOf(verb, `${noun} ${verb.name()}`, isVerb),
  ]
}

/** Its own options, and `--json`, which all have. */
function optionsOf(
  command: Command,
  name: string,
  isCommand: (words: readonly string[]) => boolean,
): readonly Offered[] {
  const own = command.options.filter((option) => option.helpGroupHeading !== 'Global options:')
  return [...own.flatMap(({ long, short }) => (long == null ? [] : [{ long, short: short ?? long }])), json]
    .filter(({ long }) => !waiting.includes(long))
    .map(({ long, short }) => ({
      word: `${name} ${long}`,
      is: (words) => isCommand(words) && (words.includes(long) || words.includes(short)),
    }))
}

const json = { long: '--json', short: '--json' }
