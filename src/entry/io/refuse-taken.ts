// Whether the addresses are free that the proxy is to listen on. Caddy 2.6 goes on serving a part of a configuration that
// it has refused for another part's address, so that it has to be known before.
import { createServer } from 'node:net'
import { holderOf, otherListenerAt } from '../../dns/io/port-holder.js'
import { errorCode } from '../../lib/io/error-code.js'
import { describeError } from '../../lib/io/log.js'
import type { EntryAddress } from '../caddy.js'

/**
 * Throws for the first address that cannot be had, with who has it; those that the proxy `pid` has already are fine, and so
 * is one for all addresses at a port of which it has some.
 */
export async function refuseTaken(
  wanted: readonly EntryAddress[],
  had: readonly EntryAddress[],
  pid: number | null,
): Promise<void> {
  for (const { host, port } of wanted) {
    const at = had.filter((one) => one.port === port)
    if (at.some((one) => one.host === host || isAll(one.host))) continue
    const isOwn = isAll(host) && at.length > 0
    const problem = isOwn && pid !== null ? await whyNotBeside(host, port, pid) : await whyNot(host, port)
    if (problem !== null) throw new Error(problem)
  }
}

function isAll(host: string): boolean {
  return host === '' || host === '::'
}

/** What the proxy itself has there would be in the way of another socket, and is not in its own way. */
async function whyNotBeside(host: string, port: number, pid: number): Promise<string | null> {
  const other = await otherListenerAt(port, pid)
  return other === null ? null : `${addressOf(host, port)} is taken by ${other}`
}

function addressOf(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

async function whyNot(host: string, port: number): Promise<string | null> {
  const address = addressOf(host, port)
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ port, exclusive: true, ...(host !== '' && { host }) }, resolve)
    })
    return null
  } catch (error) {
    if (errorCode(error) === 'EACCES') return `${address} may only be listened on by root`
    if (errorCode(error) !== 'EADDRINUSE') return `${address} cannot be listened on: ${describeError(error)}`
    const holder = await holderOf(port)
    return `${address} is taken${holder === null ? '' : ` by ${holder}`}`
  } finally {
    server.close()
  }
}
