// `mariposa webhook …`
import { type Command, Option } from 'commander'
import type { ListFlags } from './lists.js'
import { addNoun, addVerb, allProjects } from './program.js'

export function addWebhookVerbs(program: Command): void {
  const webhook = addNoun(
    program,
    'webhook',
    ['webhooks', 'hook', 'hooks'],
    'who is told of what happens to services, and what came of it',
  )
  addLookingVerbs(webhook)
  addVerb<{ readonly url?: string }>(webhook, {
    name: 'test',
    args: '<service>',
    summary: 'send a test to the receivers of a service, past their queues; exit 1 when one does not take it',
    options: [new Option('--url <url>', 'only to this one')],
    examples: ['mariposa webhook test web', 'mariposa webhook test web --url https://hooks.example/in'],
    load: async ([service = ''], { url }) => {
      const { testWebhooks } = await import('./webhook.js')
      return (shell) => testWebhooks(shell, service, url)
    },
  })
  addVerb<{ readonly delivery?: string }>(webhook, {
    name: 'retry',
    args: '<service>',
    summary: 'try again what was given up, at once what waits, and enable receivers that were gone',
    options: [new Option('--delivery <id>', 'only this one')],
    examples: ['mariposa webhook retry web', 'mariposa webhook retry web --delivery evt_1795…'],
    load: async ([service = ''], { delivery }) => {
      const { retryDeliveries } = await import('./webhook.js')
      return (shell) => retryDeliveries(shell, service, delivery)
    },
  })
}

function addLookingVerbs(webhook: Command): void {
  addVerb<ListFlags>(webhook, {
    name: 'list',
    aliases: ['ls'],
    args: '[service]',
    summary: 'list receivers, how many deliveries wait for each, and why',
    view: ['columns', 'long', 'quiet'],
    options: [allProjects],
    examples: ['mariposa webhook list', 'mariposa webhook ls web --json'],
    load: async ([service], flags) => {
      const { listWebhooks } = await import('./webhook.js')
      return (shell) => listWebhooks(shell, service, flags)
    },
  })
  addVerb<ListFlags & { readonly state?: string }>(webhook, {
    name: 'deliveries',
    args: '[service]',
    summary: 'list deliveries, the newest first: those that wait, and the last that are over',
    view: ['columns', 'long', 'quiet'],
    options: [
      new Option('--state <state>', 'only those that are so').choices(['queued', 'delivered', 'dead']),
      allProjects,
    ],
    examples: ['mariposa webhook deliveries web', 'mariposa webhook deliveries --state dead'],
    load: async ([service], flags) => {
      const { listDeliveries } = await import('./webhook.js')
      return (shell) => listDeliveries(shell, service, flags)
    },
  })
}
