// Whether the addresses are free that the proxy is to listen on. Caddy 2.6 goes on serving a part of a configuration that
// it has refused for another part's address, so that it has to be known before.
import { createServer } from 'node:net'
import { holderOf } from '../../dns/io/port-holder.js'
import { errorCode } from '../../lib/io/error-code.js'
import { describeError } from '../../lib/io/log.js'
import type { EntryAddress } from '../caddy.js'

/** Throws for the first address that cannot be had, with who has it; those that the proxy has already are fine. */
export async function refuseTaken(
  wanted: readonly EntryAddress[],
  had: readonly EntryAddress[],
): Promise<void> {
  for (const { host, port } of wanted) {
    if (had.some((one) => one.host === host && one.port === port)) continue
    const problem = await whyNot(host, port)
    if (problem !== null) throw new Error(problem)
  }
}

async function whyNot(host: string, port: number): Promise<string | null> {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
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
