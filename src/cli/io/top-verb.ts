// `mariposa top`
import { type Command, Option } from 'commander'
import { addVerb, codeOf, duration } from './program.js'
import type { TopFlags } from './top.js'

const top = codeOf(() => import('./top.js'))

export function addTopVerb(program: Command): void {
  addVerb<TopFlags>(program, {
    name: 'top',
    summary: 'show the resource use of machines, services and instances: live on a terminal, once elsewhere',
    options: [
      new Option('--once', 'print it once, on a terminal too'),
      new Option('--interval <duration>', 'time between two updates').argParser(duration).default(3000, '3s'),
    ],
    examples: ['mariposa top', 'mariposa top -j shop', 'mariposa top --once', 'mariposa top --json'],
    load: top(({ top }, shell, _, flags) => top(shell, flags)),
  })
}
