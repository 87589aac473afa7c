// What may come next on a command line that is being typed: words that the commands know, and which names to ask the daemon for.
import type { Argument, Command, Option } from 'commander'
import { choicesOf } from './choices.js'
import type { RawGlobals } from './global-options.js'

/** What a daemon knows names of. */
export type NameKind =
  | 'service'
  | 'instance'
  | 'machine'
  | 'version'
  | 'task'
  | 'project'
  | 'unit'
  | 'key'
  | 'volume'
  | 'backup'

/** One thing that may be typed. */
export interface Candidate {
  readonly word: string
  /** In a few words; empty for none. */
  readonly about: string
}

export interface Completion {
  /** What every candidate begins with, as far as it is typed. */
  readonly typed: string
  /** What stands before it in the same word: `--service=`. */
  readonly head: string
  readonly candidates: readonly Candidate[]
  readonly names: readonly NameKind[]
  readonly files: boolean
  /** What the line says to every command: which daemon is asked, and for which project. */
  readonly globals: RawGlobals
  /** The words of the command that are no options, as far as they are typed. */
  readonly args: readonly string[]
}

/** Reads a line word by word; the last is the one that is being typed, empty where it has not begun. */
export function completionOf(root: Command, words: readonly string[]): Completion {
  const line = readLine(root, words.slice(0, -1))
  const word = words.at(-1) ?? ''
  const found = { globals: line.globals as RawGlobals, args: line.args }
  if (line.open !== null) return { ...found, ...ofOption(line.open, word, '') }
  const [, name = '', value = ''] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? []
  const option = line.ended ? undefined : optionNamed(line.command, name)
  if (option !== undefined) return { ...found, ...ofOption(option, value, `${name}=`) }
  if (!line.ended && word.startsWith('-')) return { ...found, ...ofWords(optionsOf(line.command), word) }
  if (line.args.length === 0 && line.command.commands.length > 0)
    return { ...found, ...ofWords(line.command.commands.map(verbOf), word) }
  // The place of what it is restored from is taken.
  const before = line.globals['fromBackup'] === undefined ? 0 : 1
  return { ...found, ...ofArgument(line.command, line.args.length + before, word) }
}

interface Line {
  readonly command: Command
  readonly args: readonly string[]
  readonly globals: Readonly<Record<string, string>>
  /** An option that waits for its value. */
  readonly open: Option | null
  /** After `--` nothing is an option. */
  readonly ended: boolean
}

function readLine(root: Command, words: readonly string[]): Line {
  return words.reduce<Line>(readWord, { command: root, args: [], globals: {}, open: null, ended: false })
}

function readWord(line: Line, word: string): Line {
  const { command, args, globals, open, ended } = line
  if (open !== null) return { ...line, globals: { ...globals, [open.attributeName()]: word }, open: null }
  if (!ended && word === '--') return { ...line, ended: true }
  if (!ended && word.startsWith('-')) {
    const [name = '', ...value] = word.split('=')
    const option = optionNamed(command, name)
    if (option === undefined || !takesValue(option)) return line
    if (value.length === 0) return { ...line, open: option }
    return { ...line, globals: { ...globals, [option.attributeName()]: value.join('=') } }
  }
  const verb = args.length === 0 && !ended ? command.commands.find((one) => isCalled(one, word)) : undefined
  return verb === undefined ? { ...line, args: [...args, word] } : { ...line, command: verb }
}

function isCalled(command: Command, word: string): boolean {
  return command.name() === word || command.aliases().includes(word)
}

function optionNamed(command: Command, name: string): Option | undefined {
  return command.options.find(({ long, short }) => name !== '' && (long === name || short === name))
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional
}

type Found = Omit<Completion, 'globals' | 'args'>

function ofWords(candidates: readonly Candidate[], typed: string, head = ''): Found {
  const fitting = candidates.filter(({ word }) => word.startsWith(typed))
  return { typed, head, candidates: fitting, names: [], files: false }
}

function ofOption(option: Option, typed: string, head: string): Found {
  const { words, several } = choicesOf(option)
  // Of a list the last one is typed; those before it stand, and are not offered again.
  const before = several ? typed.slice(0, typed.lastIndexOf(',') + 1) : ''
  const left = words.filter((word) => !before.split(',').includes(word))
  return {
    ...ofWords(
      left.map((word) => ({ word: `${before}${word}`, about: '' })),
      typed,
      head,
    ),
    names: optionNames[option.attributeName()] ?? [],
    files: /<(file|path|dir)>/.test(option.flags),
  }
}

function ofArgument(command: Command, at: number, typed: string): Found {
  const argument = argumentAt(command, at)
  const shells = { ...ofWords([], typed), names: [], files: true }
  if (argument === undefined) return { ...shells, files: false }
  const wanted = namesOf(command, argument)
  return wanted === 'files' ? shells : { ...ofWords([], typed), names: wanted }
}

function argumentAt({ registeredArguments }: Command, at: number): Argument | undefined {
  const last = registeredArguments.at(-1)
  return registeredArguments[at] ?? (last?.variadic ? last : undefined)
}

function optionsOf(command: Command): readonly Candidate[] {
  const own = command.options.map(({ long, short, description }) => ({
    word: long ?? short ?? '',
    about: description,
  }))
  return [...own, { word: '--help', about: 'show help' }]
}

function verbOf(command: Command): Candidate {
  return { word: command.name(), about: command.description() }
}

/** What a word of a command names: by noun, verb and argument, else by noun and argument, else by argument. */
export function namesOf(command: Command, argument: Argument): readonly NameKind[] | 'files' {
  const noun = command.parent?.name() ?? ''
  const word = argument.name()
  return (
    argumentNames[`${noun} ${command.name()} ${word}`] ??
    argumentNames[`${noun} ${word}`] ??
    argumentNames[word] ??
    []
  )
}

/** Empty for what somebody makes up. A test asks for a line here for each argument that a command has. */
export const argumentNames: Readonly<Record<string, readonly NameKind[] | 'files'>> = {
  file: 'files',
  template: 'files',
  out: 'files',
  'volume backup to': 'files',
  'volume clone to': ['volume'],
  'volume restore from': 'files',
  files: 'files',
  'service add name': [],
  'dns lookup name': [],
  'service name': ['service'],
  'service names': ['service'],
  'service targets': ['service'],
  'service explain name': ['service', 'instance'],
  'service logs name': ['service', 'instance'],
  'service events name': ['service', 'instance'],
  version: ['version'],
  other: ['version'],
  instance: ['instance'],
  command: 'files',
  service: ['service'],
  machine: ['machine'],
  machines: ['machine'],
  volume: ['volume'],
  volumes: ['volume'],
  pairs: [],
  task: ['task'],
  'unit submit units': 'files',
  unit: ['unit'],
  units: ['unit'],
  'project name': ['project'],
  'meta key': ['key'],
  registry: [],
  'image prefetch targets': ['service'],
  value: [],
  cas: [],
  by: [],
  'store key': [],
  'manifest name': [],
  words: [],
}

/** By the name of the option, wherever it is. */
const optionNames: Readonly<Record<string, readonly NameKind[]>> = {
  project: ['project'],
  service: ['service'],
  instance: ['instance'],
  machine: ['machine'],
  version: ['version'],
  previous: ['version'],
  lose: ['machine'],
  drain: ['machine'],
  fromBackup: ['backup'],
}
