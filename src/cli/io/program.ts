// The command line as commander knows it. Each verb loads its own code when it runs, so that none pays for another.
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { durationForms, parseDurationMs } from '../../lib/duration.js'
import { nearest } from '../../lib/nearest.js'
import { type CommandError, usageError } from '../command-error.js'
import type { RawGlobals } from '../global-options.js'
import { writeOutput } from './output.js'
import type { Command as Run, Shell } from './shell.js'

/** A verb: what it is called, what it takes, and what loads it. */
export interface Verb<Options> {
  readonly name: string
  readonly aliases?: readonly string[]
  /** In commander's notation: `<name> [file...]`. */
  readonly args?: string
  readonly summary: string
  readonly options?: readonly Option[] | (() => readonly Option[])
  readonly examples: readonly string[]
  /** Its arguments, or all that it has, that may be an empty text. Names may not: one is a variable of a script without its value. */
  readonly mayBeEmpty?: readonly string[] | 'all'
  /** Which of `-o`/`-H`, `-l` and `-q` say something to this verb; the others are refused. */
  readonly view?: readonly ('columns' | 'long' | 'quiet')[]
  /** Loads the verb's code and gives it its words and options. */
  readonly load: (args: readonly string[], options: Options) => Promise<Run>
}

/** The words after which every verb takes the options of the contract, before or after it. */
const globalOptions: readonly Option[] = [
  new Option('-j, --project <name>', 'project to work in (MARIPOSA_PROJECT, default: default)'),
  new Option('--endpoint <url>', 'daemon to ask: unix:///path, http://… or https://… (MARIPOSA_ENDPOINT)'),
  new Option('--token <token>', 'bearer token for http and https (MARIPOSA_TOKEN)'),
  new Option('--ca-file <file>', 'certificate authority to trust, PEM'),
  new Option('--cert-file <file>', 'client certificate, PEM'),
  new Option('--key-file <file>', "client certificate's key, PEM"),
  new Option('--json', 'print JSON on standard output, and nothing else there'),
  new Option('-o, --output <columns>', 'columns of the table: name,status'),
  new Option('-H, --no-header', 'leave out the header of the table'),
  new Option('-l, --long', 'more columns, whole identifiers'),
  new Option('-q, --quiet', 'names only, no progress'),
  new Option('--no-color', 'no colours (also NO_COLOR)'),
].map((option) => option.helpGroup('Global options:'))

export const timeoutOption = new Option('--timeout <duration>', 'how long to wait')
  .argParser(someTime)
  .default(300_000, '5m')

/** Options of every verb that changes what runs. */
export const waitOptions: readonly Option[] = [
  new Option('-d, --detach', "print the task's id and do not wait"),
  timeoutOption,
]

/** Of lists of what is in a project. */
export const allProjects = new Option('-A, --all-projects', 'of all projects, whatever --project says')

/** The column of descriptions in a help is wrapped where it has so many columns at least: in 80, beside every verb. */
const leastColumns = 20
/** Of how many of its verbs a noun shows an example. */
const examplesOfNoun = 5
const firstExample = new WeakMap<Command, readonly string[]>()
/** What gives a noun its verbs, and a verb its options: there are a hundred verbs, of which a command line calls one. */
const withoutRest = new WeakMap<Command, () => void>()

/** The root command without nouns. */
export function createProgram(version: string): Command {
  const program = new Command('mariposa')
    .description('Declarative deployment on your own machines: one manifest per service.')
    .version(version, '-V, --version', 'print the version')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => writeOutput('stdout', text),
      writeErr: (text) => writeOutput('stderr', text),
      outputError: () => {},
    })
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command...]', 'show help for a command')
    .configureHelp({ minWidthToWrap: leastColumns, subcommandTerm })
    .hook('preSubcommand', (_, verb) => giveRest(verb))
  addGlobals(program)
  return withExamples(program, [
    'mariposa daemon',
    'mariposa service deploy web.yml',
    'mariposa service list',
    'mariposa service scale web +2',
    'mariposa service logs web -f',
  ])
}

/** Adds a noun with its other spellings; it gets its verbs, in the order of its help, when one of them is called. */
export function addNoun(
  program: Command,
  name: string,
  aliases: readonly string[],
  summary: string,
  verbs: readonly Verb<never>[],
): void {
  const noun = program.command(name).aliases(aliases).description(summary)
  withoutRest.set(noun, () => {
    addGlobals(noun)
    for (const one of verbs) addVerb(noun, one)
  })
  noun.hook('preSubcommand', (_, called) => giveRest(called))
  noun.addHelpText('after', ({ command }) =>
    examplesText(command.commands.slice(0, examplesOfNoun).flatMap((one) => firstExample.get(one) ?? [])),
  )
}

/** A verb among others: each has options of its own. */
export function verb<Options>(one: Verb<Options>): Verb<never> {
  return one
}

/** A module that is loaded by the verbs that are done by it: each calls something of it with its words and options. */
export function codeOf<Module>(load: () => Promise<Module>) {
  return <Options>(
    run: (module: Module, shell: Shell, args: readonly string[], options: Options) => ReturnType<Run>,
  ): Verb<Options>['load'] =>
    async (args, options) => {
      const module = await load()
      return (shell) => run(module, shell, args, options)
    }
}

/** For an option that may be repeated. */
export function append(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

/** Adds a verb to a noun, or to the program itself. */
export function addVerb<Options>(parent: Command, verb: Verb<Options>): Command {
  const command = parent.command(`${verb.name} ${verb.args ?? ''}`.trim()).description(verb.summary)
  command.aliases(verb.aliases ?? [])
  const own: Option[] = []
  withoutRest.set(command, () => {
    own.push(...(typeof verb.options === 'function' ? verb.options() : (verb.options ?? [])))
    for (const option of own) command.addOption(option)
    addGlobals(command, own)
  })
  command.action(async () => {
    const raw: RawGlobals = globalsGiven(command, own)
    refuseUnused(verb, raw)
    refuseEmpty(verb, command, givenOptions(command))
    const [{ runCommand }, run] = await Promise.all([
      import('./shell.js'),
      verb.load(command.args, command.opts() as Options),
    ])
    await runCommand(raw, run, own.includes(timeoutOption) ? (command.opts()['timeout'] as number) : null)
  })
  return withExamples(command, verb.examples)
}

/** Gives a command and all below it their verbs and options, for whoever looks at them without calling one. */
export function giveAllOptions(command: Command): void {
  giveRest(command)
  command.commands.forEach(giveAllOptions)
}

function giveRest(command: Command): void {
  withoutRest.get(command)?.()
  withoutRest.delete(command)
}

/** Parses the command line and runs what it names; sets the exit status of the process. Bad usage is exit 2. */
export async function runProgram(program: Command, argv: readonly string[]): Promise<void> {
  try {
    await program.parseAsync(asHelpOption(program, argv), { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return
    const [{ reportFailure }, { processTerminal }] = await Promise.all([
      import('./shell.js'),
      import('./terminal.js'),
    ])
    const end = argv.indexOf('--')
    const json = argv.slice(0, end < 0 ? argv.length : end).includes('--json')
    process.exitCode = await reportFailure(judgeUsage(error), processTerminal({ color: true }), json)
  }
}

/** `help service deploy` as `service deploy --help`: commander itself looks at the first word alone, before it has its verbs. */
function asHelpOption(program: Command, argv: readonly string[]): readonly string[] {
  const [first, ...words] = argv
  const isKnown = program.commands.some((one) => [one.name(), ...one.aliases()].includes(words[0] ?? ''))
  const isOfCommand = first === 'help' && isKnown && words.every((word) => !word.startsWith('-'))
  return isOfCommand ? [...words, '--help'] : argv
}

/** For options that take a whole number from `least` on. */
export function count(least: number): (text: string) => number {
  return (text) => {
    const n = /^\d{1,9}$/.test(text) ? Number(text) : -1
    if (n < least) throw new InvalidArgumentError(`Give a whole number from ${least} on.`)
    return n
  }
}

/** For options that take a duration; milliseconds. */
export function duration(text: string): number {
  const ms = parseDurationMs(text)
  if (ms === undefined || ms < 0) throw new InvalidArgumentError(`Give ${durationForms}.`)
  return ms
}

/** The same, for how long to wait: no time at all would say that nothing is known of what was begun. */
function someTime(text: string): number {
  const ms = duration(text)
  if (ms === 0) throw new InvalidArgumentError('Give a time, or --detach to wait for nothing.')
  return ms
}

/** What was given before and after the noun and the verb; the last word wins, and a default never does. */
function givenOptions(command: Command): Readonly<Record<string, unknown>> {
  return { ...(command.parent === null ? {} : givenOptions(command.parent)), ...givenHere(command) }
}

function givenHere(command: Command): Readonly<Record<string, unknown>> {
  const given = Object.entries(command.opts()).filter(
    ([key]) => command.getOptionValueSource(key) !== 'default',
  )
  return Object.fromEntries(given)
}

/** A verb's own option takes the place of a global one of the same name. */
function addGlobals(command: Command, own: readonly Option[] = []): void {
  for (const option of globalOptions) {
    if (!own.some(({ long }) => long === option.long)) command.addOption(option)
  }
}

/** What was given for the options of every verb; behind the verb, those that it has made its own are left out. */
function globalsGiven(command: Command, own: readonly Option[]): RawGlobals {
  const names = own.map((option) => option.attributeName())
  const before = command.parent === null ? {} : givenOptions(command.parent)
  const behind = Object.entries(givenHere(command)).filter(([name]) => !names.includes(name))
  return { ...before, ...Object.fromEntries(behind) }
}

function withExamples(command: Command, examples: readonly string[]): Command {
  firstExample.set(command, examples.slice(0, 1))
  return command.addHelpText('after', examplesText(examples))
}

function examplesText(examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((example) => `  ${example}\n`).join('')}`
}

/** Every verb takes options: to say so of each makes the column of the others narrow. */
function subcommandTerm(command: Command): string {
  const words = command.registeredArguments.map((one) => {
    const name = one.variadic ? `${one.name()}...` : one.name()
    return one.required ? `<${name}>` : `[${name}]`
  })
  return [[command.name(), ...command.aliases().slice(0, 1)].join('|'), ...words].join(' ')
}

function refuseUnused(verb: Pick<Verb<never>, 'name' | 'view'>, raw: RawGlobals): void {
  const view = verb.view ?? []
  const refuse = (flag: string) => usageError(`'${verb.name}' has no use for ${flag}`)
  if (!view.includes('columns') && raw.output !== undefined) throw refuse('--output')
  if (!view.includes('columns') && raw.header === false) throw refuse('--no-header')
  if (!view.includes('long') && raw.long) throw refuse('--long')
  if (!view.includes('quiet') && raw.quiet) throw refuse('--quiet')
}

/** An empty text stands for nothing that there is, and as an option it would be taken for one that is not given. */
function refuseEmpty(
  { mayBeEmpty = [] }: Pick<Verb<never>, 'mayBeEmpty'>,
  { registeredArguments, args }: Command,
  options: Readonly<Record<string, unknown>>,
): void {
  if (mayBeEmpty === 'all') return
  const argumentAt = (index: number) =>
    registeredArguments.at(Math.min(index, registeredArguments.length - 1))
  const empty = args
    .map((word, index) => (word === '' ? argumentAt(index)?.name() : undefined))
    .find((name) => name !== undefined && !mayBeEmpty.includes(name))
  if (empty !== undefined) throw emptyText(`<${empty}>`)
  const option = Object.keys(options).find((key) => [options[key]].flat().includes(''))
  if (option !== undefined)
    throw emptyText(`--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`)
}

function emptyText(what: string): CommandError {
  return usageError(`${what} is empty`, 'give a value; a variable of the shell may not be set')
}

/** Commander's own errors as ours; a noun without a verb has printed its help already. */
function judgeUsage(error: unknown): unknown {
  if (!(error instanceof CommanderError)) return error
  if (error.code === 'commander.help') return usageError('name a command')
  const [message = '', ...hints] = error.message.replace(/^error: /, '').split('\n')
  return usageError(message, nearHint(message, hints.join(' ').trim()) || 'see --help')
}

/** What commander takes for meant, without what is too far from what was typed: half of a short word may differ there. */
function nearHint(message: string, hint: string): string {
  const typed = /^unknown \w+ '(.*)'$/s.exec(message)?.[1]
  const meant = /^\(Did you mean (?:one of )?(.*)\?\)$/.exec(hint)?.[1]
  if (typed === undefined || meant === undefined) return hint
  const near = meant.split(', ').filter((word) => nearest(bare(typed), [bare(word)]) !== undefined)
  if (near.length === 0) return ''
  return `did you mean ${near.length > 1 ? 'one of ' : ''}${near.join(', ')}?`
}

function bare(word: string): string {
  return word.replace(/^--/, '')
}
