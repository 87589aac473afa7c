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
    new Option('-f, --follow', 'continue with new events as they happen'),
    new Option('--since <time>', 'only events since then: 10m, or an RFC 3339 time'),
    new Option('--until <time>', 'only events until then'),
    new Option('--tail <n>', 'only this number of last events').argParser(count(0)),
    withChoices(
      new Option('--kind <kinds>', 'only these kinds, separated by commas: deploy,scale'),
      eventKinds,
      true,
    ),
    new Option('--by <text>', 'only changes by somebody whose user, client or address contains this text'),
    new Option('--machine <machine>', 'only on this machine (id, a prefix of it, or hostname)'),
    new Option('--jsonl', 'print JSON, one event per line'),
  ]
}
