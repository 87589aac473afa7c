import { regrouped, valuesByName } from './loose.js'
import { fields, flag, listOf, number, type Scope, seconds, text, words } from './shapes.js'
import type { Tree } from './tree.js'

const checkFields = fields(
  {
    type: text('http, https, tcp or command', 'none'),
    port: number('a port number from 1 to 65535'),
    path: text('a path that begins with /', 'placement'),
    command: words('a list of words, or one line of text'),
    user: text('a user name or id', 'deploy'),
    poll: seconds(),
    interval: { aliasOf: 'poll' },
    timeout: seconds(),
    start_period: seconds(),
    start_interval: seconds(),
    retries: number('a whole number from 1 to 1000'),
    redirects: number('a whole number from 0 to 10'),
    host: text('the name of a host', 'deploy'),
    verify: flag(),
    network: text('the name or uuid of a network', 'deploy'),
  },
  'a map with type http, https, tcp or command',
)

const checks = listOf(checkFields)

/** Health checks: a list of maps, one map, a map by name, or single-key maps in a row. */
export function normaliseChecks(node: Tree, scope: Scope): Tree | undefined {
  return checks(regrouped(valuesByName(node)), scope)
}
