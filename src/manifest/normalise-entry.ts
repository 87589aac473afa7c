// The entry of a service, in every form, to a list of routes.
import { defaults } from './defaults.js'
import { parseWholeMb, wholeSizeForms } from './quantities.js'
import {
  entryOf,
  fields,
  flag,
  type Normaliser,
  number,
  pairs,
  parsed,
  refuse,
  render,
  type Scope,
  seconds,
  text,
} from './shapes.js'
import { childOf, type Entry, type ListNode, type MapNode, type Tree } from './tree.js'

const forms = 'a map with host, path, port and tls, or with tcp and port'
const pathForms = 'a path such as /api'

/** Slashes at its end say nothing. */
const pathText: Normaliser = (node, scope) => {
  const given = text(pathForms, 'deploy', '/stand-in')(node, scope)
  if (given?.kind !== 'scalar') return undefined
  return { ...given, value: String(given.value).replace(/(?<=.)\/+$/, '') }
}

/** A text, or `true` for what is meant by it without one, and `false` for nothing. */
function orFlag(read: Normaliser): Normaliser {
  return (node, scope) =>
    node.kind === 'scalar' && ['true', 'false'].includes(String(node.value))
      ? flag()(node, scope)
      : read(node, scope)
}

const tlsForms = 'auto, internal, off, or a map with cert and key'
const tlsFields = fields(
  {
    mode: text('auto, internal, off or meta', 'deploy'),
    cert: text('a key of the metadata', 'deploy', 'stand-in'),
    key: text('a key of the metadata', 'deploy', 'stand-in'),
  },
  tlsForms,
)

const headerFields = fields(
  {
    request: pairs('a map, or a list of key=value', 'deploy'),
    response: pairs('a map, or a list of key=value', 'deploy'),
  },
  'a map with request and response',
)

/** As in a request, with one space behind the colon. */
const headerText: Normaliser = (node, scope) => {
  const given = text('a header such as "X-Canary: 1"', 'deploy', 'Stand-In: 1')(node, scope)
  if (given?.kind !== 'scalar') return undefined
  return {
    ...given,
    value: String(given.value)
      .replace(/^([^:\s]+):\s*/, '$1: ')
      .trimEnd(),
  }
}

const canaryFields = fields(
  { header: headerText, cookie: text('a cookie such as canary=1', 'deploy', 'stand-in=1') },
  'a map with header, cookie or both',
)

/**
 * As requests have it: in lower case, in ASCII, without a dot at its end. A host that will be refused keeps its spelling for the
 * message: a proxy's own variables have capitals.
 */
const hostText = (host: string): string => {
  if (/[{}]/.test(host)) return host
  const whole = host.replace(/(?<=[^.])\.$/, '')
  return /^\p{ASCII}*$/u.test(whole) ? whole.toLowerCase() : (inAscii(whole) ?? host)
}

/** A host with letters beyond ASCII, as browsers send it; null for what is none. */
function inAscii(host: string): string | null {
  try {
    return /[\s/:@?#%\\]/.test(host) ? null : new URL(`http://${host}`).hostname
  } catch {
    return null
  }
}

const routeFields = fields(
  {
    host: parsed('a host such as shop.example', hostText),
    path: pathText,
    port: number('a port number from 1 to 65535'),
    tls: readTls,
    redirect: text('a URL such as https://shop.example', 'deploy', 'https://stand-in.invalid'),
    strip_prefix: orFlag(pathText),
    timeout: seconds(),
    retries: number('a whole number from 0 to 10'),
    max_body: parsed(wholeSizeForms, parseWholeMb),
    sticky: orFlag(text('true, or the name of a cookie', 'deploy', 'stand-in')),
    canary: canaryFields,
    headers: headerFields,
    weight: number('a whole number from 0 to 1000'),
    drain: seconds(),
    tcp: number('a port number from 1 to 65535'),
  },
  forms,
)

/** A list, or one route that stands for a list of itself. */
export function normaliseEntry(node: Tree, scope: Scope): ListNode {
  const given = node.kind === 'list' ? node.items : [node]
  const items = given.flatMap((item) => readRoute(item, scope) ?? [])
  return { kind: 'list', start: node.start, end: node.end, items }
}

function readRoute(node: Tree, scope: Scope): MapNode | undefined {
  if (node.kind === 'scalar') return refuse(node, forms, scope)
  const route = routeFields(node, scope)
  if (route?.kind !== 'map') return undefined
  const preset = (key: string, value: string | number): readonly Entry[] =>
    childOf(route, key) || route.dropped?.includes(key) ? [] : [entryOf(key, value, route)]
  const shares = [...preset('weight', defaults.entry.weight), ...preset('drain', defaults.entry.drain)]
  // What is not HTTP has no path, and no certificate.
  if (childOf(route, 'tcp') || route.dropped?.includes('tcp'))
    return { ...route, entries: [...route.entries, ...shares] }
  const path = childOf(route, 'path')
  const own = path?.kind === 'scalar' ? String(path.value) : '/'
  const entries = [
    ...route.entries.flatMap((entry) => meant(entry, { strip_prefix: own, sticky: 'mariposa' })),
    ...preset('path', '/'),
    ...preset('retries', defaults.entry.retries),
    ...shares,
  ]
  if (childOf(route, 'tls') || route.dropped?.includes('tls')) return { ...route, entries }
  const mode = childOf(route, 'host') || route.dropped?.includes('host') ? 'auto' : 'off'
  return { ...route, entries: [...entries, { ...entryOf('tls', '', route), value: tlsOf(mode, route) }] }
}

/** `true` is what it stands for, and `false` as if nothing had been said. */
function meant(entry: Entry, meanings: Readonly<Record<string, string>>): readonly Entry[] {
  const { key, value } = entry
  if (value.kind !== 'scalar' || typeof value.value !== 'boolean') return [entry]
  const meaning = meanings[String(key.value)]
  if (meaning === undefined) return [entry]
  return value.value ? [{ key, value: { ...value, value: meaning } }] : []
}

/** What may stand alone. */
const tlsWords = ['auto', 'internal', 'off']

function readTls(node: Tree, scope: Scope): Tree | undefined {
  if (node.kind === 'scalar') {
    const rendered = render(node, 'deploy', scope)
    if (!rendered || rendered.standIn) return undefined
    const mode = String(rendered.value)
    const meant = Object.hasOwn(tlsFlags, mode) ? (tlsFlags[mode] ?? mode) : mode
    return tlsWords.includes(meant) ? tlsOf(meant, rendered) : refuse(rendered, `${tlsForms}, for tls`, scope)
  }
  const tls = tlsFields(node, scope)
  if (tls?.kind !== 'map' || childOf(tls, 'mode')) return tls
  return { ...tls, entries: [entryOf('mode', 'meta', tls), ...tls.entries] }
}

/** YAML 1.1 reads `off` as false. */
const tlsFlags: Readonly<Record<string, string>> = { true: 'auto', false: 'off' }

function tlsOf(mode: string, at: Tree): MapNode {
  return { kind: 'map', start: at.start, end: at.end, entries: [entryOf('mode', mode, at)] }
}
