// Commands on the webhooks of services.
import type { WebhookTestResponse } from '../../api/contract.js'
import { deliveryColumns, nameOf, webhookColumns } from '../columns.js'
import { exitCodes } from '../command-error.js'
import type { Shell } from './shell.js'
import { printJson, printRows } from './shell.js'

export async function listWebhooks(shell: Shell, service: string | undefined): Promise<number> {
  const rows = await shell.client.webhooks(shell.globals.project, service, shell.signal)
  printRows(shell, webhookColumns, rows, nameOf.webhook)
  return exitCodes.done
}

export async function listDeliveries(
  shell: Shell,
  service: string | undefined,
  state: string | undefined,
): Promise<number> {
  const rows = await shell.client.deliveries(shell.globals.project, { service, state }, shell.signal)
  printRows(shell, deliveryColumns, rows, nameOf.delivery)
  return exitCodes.done
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
