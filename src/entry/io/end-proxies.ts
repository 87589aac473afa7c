// Ends all proxies of a folder.
import { existsSync } from 'node:fs'
import { Caddy } from './caddy.js'
import { endOrphanProxies } from './haproxy.js'
import { endKeeper } from './keeper-client.js'

/** Also those that go on because only their keeper was killed. Resolves to whether there were any. */
export async function endProxies(dir: string): Promise<boolean> {
  if (!existsSync(dir)) return false
  const wasKept = await endKeeper(dir)
  const caddy = await Caddy.takeOver(dir, () => {})
  await caddy?.end()
  const orphans = await endOrphanProxies(dir)
  return wasKept || caddy !== null || orphans > 0
}
