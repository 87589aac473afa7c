// `mariposa events`, and the options that it shares with `service events`.
import { type Command, Option } from 'commander'
import { eventKinds } from '../../model/event.js'
import { withChoices } from '../choices.js'
import type { EventsFlags } from './events.js'
import { addVerb, codeOf, count } from './program.js'

const events = codeOf(() => import('./events.js'))

export function addEventsVerb(program: Command): void {
  addVerb<EventsFlags>(program, {
    name: 'events',
    summary: 'print the events of the cluster: changes and who made them, placements, health, machines',
    view: ['columns', 'long', 'quiet'],
    options: [new Option('--service <name>', 'only of this service or instance'), ...eventOptions()],
    examples: [
      'mariposa events -f',
      'mariposa events --since 1h --kind deploy,scale,revert -l',
      'mariposa events --by alice --project shop',
      'mariposa events --jsonl > history.jsonl',
    ],
    load: events(({ events }, shell, _, flags) => events(shell, flags)),
  })
}

/** Options of everything that prints events. */
export function eventOptions(): readonly Option[] {
  return [
    new Option('-f, --follow', 'go on with what happens from now on'),
    new Option('--since <time>', 'only what happened since then: 10m, or an RFC 3339 time'),
    new Option('--until <time>', 'only what happened until then'),
    new Option('--tail <n>', 'only the last so many').argParser(count(0)),
    withChoices(
      new Option('--kind <kinds>', 'only these kinds, between commas: deploy,scale'),
      eventKinds,
      true,
    ),
    new Option(
      '--by <text>',
      'only what somebody asked for whose user, client or address has this text in it',
    ),
    new Option('--machine <machine>', 'only on this machine (id, the beginning of one, or hostname)'),
    new Option('--jsonl', 'print JSON, one event a line: to keep or to hand on'),
  ]
}
