// `mariposa simulate`
import { type Command, Option } from 'commander'
import { addVerb, codeOf, count, duration } from '../cli/io/program.js'
import type { SimulateFlags } from './simulate.js'

const simulate = codeOf(() => import('./simulate.js'))

/** What takes some time at most, and ends by itself much sooner. */
const usualHours = 24
const usualStartMs = 5000

export function addSimulateVerb(program: Command): void {
  addVerb<SimulateFlags>(program, {
    name: 'simulate',
    args: '[file]',
    summary: 'predict what a change would do, without making it; for the running cluster or an export of it',
    options: [
      words('--lose <machines>', 'machines that are lost at the same time: m1,m2'),
      words('--drain <machines>', 'machines that are drained'),
      words(
        '--add <machine>',
        'a machine that joins: NAME, or NAME:memory=64G,cpus=16,metadata=KEY=VALUE',
        all,
      ),
      words('--deploy <file>', 'a manifest that is deployed', all),
      words('--scale <name=n>', 'services that are scaled: web=40, web=+2'),
      new Option('--hours <n>', 'time limit, in the time of the cluster')
        .argParser(count(1))
        .default(usualHours),
      new Option('--start-time <duration>', 'time from the placement of an instance until it serves')
        .argParser(duration)
        .default(usualStartMs, '5s'),
      new Option(
        '--stop-time <duration>',
        'time that a stop takes; default: the whole time that its manifest allows',
      ).argParser(duration),
    ],
    view: ['quiet'],
    examples: [
      'mariposa simulate --lose m1',
      'mariposa simulate --lose m1,m2 --start-time 20s',
      'mariposa simulate --drain m3 --add m7:memory=64G,metadata=region=north',
      'mariposa simulate --deploy web.yml --json',
      'mariposa simulate cluster.export --scale web=40',
    ],
    load: simulate(({ simulate }, shell, [file], flags) => simulate(shell, file, flags)),
  })
}

/** An option that may be given several times. */
function words(
  flags: string,
  description: string,
  read: (word: string) => readonly string[] = split,
): Option {
  return new Option(flags, description)
    .argParser((word: string, before: readonly string[]) => [...before, ...read(word)])
    .default([], 'none')
}

function split(word: string): readonly string[] {
  return word.split(',').filter((part) => part !== '')
}

function all(word: string): readonly string[] {
  return [word]
}
