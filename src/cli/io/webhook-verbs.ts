// `mariposa webhook …`
import { type Command, Option } from 'commander'
import type { ListFlags } from './lists.js'
import { addNoun, allProjects, codeOf, type Verb, verb } from './program.js'

const webhook = codeOf(() => import('./webhook.js'))

export function addWebhookVerbs(program: Command): void {
  addNoun(
    program,
    'webhook',
    ['webhooks', 'hook', 'hooks'],
    'receivers of events over HTTP, and the deliveries to them',
    webhookVerbs,
  )
}

const webhookVerbs: readonly Verb<never>[] = [
  verb<ListFlags>({
    name: 'list',
    aliases: ['ls'],
    args: '[service]',
    summary: 'list receivers with their number of waiting deliveries, and the reason',
    view: ['columns', 'long', 'quiet'],
    options: [allProjects],
    examples: ['mariposa webhook list', 'mariposa webhook ls web --json'],
    load: webhook(({ listWebhooks }, shell, [service], flags) => listWebhooks(shell, service, flags)),
  }),
  verb<ListFlags & { readonly state?: string }>({
    name: 'deliveries',
    args: '[service]',
    summary: 'list waiting deliveries and the last finished ones, the newest first',
    view: ['columns', 'long', 'quiet'],
    options: [
      new Option('--state <state>', 'only deliveries in this state').choices(['queued', 'delivered', 'dead']),
      allProjects,
    ],
    examples: ['mariposa webhook deliveries web', 'mariposa webhook deliveries --state dead'],
    load: webhook(({ listDeliveries }, shell, [service], flags) => listDeliveries(shell, service, flags)),
  }),
  verb<{ readonly url?: string }>({
    name: 'test',
    args: '<service>',
    summary:
      'send a test event to the receivers of a service, bypassing their queues; exit 1 if one does not accept it',
    options: [new Option('--url <url>', 'only to the receiver with this URL')],
    examples: ['mariposa webhook test web', 'mariposa webhook test web --url https://hooks.example/in'],
    load: webhook(({ testWebhooks }, shell, [service = ''], { url }) => testWebhooks(shell, service, url)),
  }),
  verb<{ readonly delivery?: string }>({
    name: 'retry',
    args: '<service>',
    summary: 'retry failed and waiting deliveries at once; re-enable receivers that answered 410 Gone',
    options: [new Option('--delivery <id>', 'only this delivery')],
    examples: ['mariposa webhook retry web', 'mariposa webhook retry web --delivery evt_1795…'],
    load: webhook(({ retryDeliveries }, shell, [service = ''], { delivery }) =>
      retryDeliveries(shell, service, delivery),
    ),
  }),
]
