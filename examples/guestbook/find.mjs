// Finds a service by its name: SRV says which instances there are and at which ports they listen, A says where each is.
import { Resolver } from 'node:dns/promises'

const resolver = new Resolver({ timeout: 1000, tries: 3 })
// Without it the host's resolver is asked, which knows the names after `mariposa dns setup`.
if (process.env.NAMES) resolver.setServers([process.env.NAMES])

/** The URL of one of the instances; they come in random order. Rejects where none is listed. */
export async function urlOf(service) {
  const [{ name, port }] = await resolver.resolveSrv(service)
  const [address] = await resolver.resolve4(name)
  return `http://${address}:${port}`
}
