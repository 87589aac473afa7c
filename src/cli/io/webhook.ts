// Commands on the webhooks of services.
import type { WebhookTestResponse } from '../../contract/contract.js'
import { deliveryColumns, nameOf, webhookColumns } from '../columns.js'
import { exitCodes } from '../command-error.js'
import { type ListFlags, printList } from './lists.js'
import type { Shell } from './shell.js'
import { printJson } from './shell.js'

export function listWebhooks(shell: Shell, service: string | undefined, flags: ListFlags): Promise<number> {
  return printList(shell, flags, {
    columns: webhookColumns,
    nameOf: nameOf.webhook,
    of: (project) => shell.client.webhooks(project, service, shell.signal),
  })
}

export function listDeliveries(
  shell: Shell,
  service: string | undefined,
  { state, ...flags }: ListFlags & { readonly state?: string },
): Promise<number> {
  return printList(shell, flags, {
    columns: deliveryColumns,
    nameOf: nameOf.delivery,
    of: (project) => shell.client.deliveries(project, { service, state }, shell.signal),
  })
}

/** Sends a test; exit 1 when any receiver did not take it. */
export async function testWebhooks(shell: Shell, service: string, url: string | undefined): Promise<number> {
  const request = { service, ...(url !== undefined && { url }) }
  const results = await shell.client.webhookTest(shell.globals.project, request, shell.signal)
  if (shell.globals.json) printJson(shell, results)
  else shell.terminal.out(results.map(describeTest).join(''))
  return results.every(({ error }) => error === null) ? exitCodes.done : exitCodes.failed
}

function describeTest({ url, status, tookMs, error }: WebhookTestResponse[number]): string {
  return error === null ? `${url}: ${status ?? ''} in ${tookMs} ms\n` : `${url}: ${error}\n`
}

export async function retryDeliveries(
  shell: Shell,
  service: string,
  delivery: string | undefined,
): Promise<number> {
  const request = { service, ...(delivery !== undefined && { delivery }) }
  const answer = await shell.client.webhookRetry(shell.globals.project, request, shell.signal)
  const { retried } = answer
  if (shell.globals.json) printJson(shell, answer)
  else shell.terminal.out(`${retried} ${retried === 1 ? 'delivery is' : 'deliveries are'} tried again\n`)
  return exitCodes.done
}
