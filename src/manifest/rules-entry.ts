// Rules of the entry.
import { isPort } from '../lib/port.js'
import { canaryCookieOf, claimOf } from '../model/entry.js'
import { itemOf, type Rule, type RuleInput } from './rule.js'
import type { ManifestEntry, ServiceManifest } from './schema.js'
import { childOf, type Tree } from './tree.js'

export const entryRules: readonly Rule[] = [
  entryFitsService,
  tcpStandsAlone,
  routesAreUnique,
  routesLeadSomewhere,
  redirectsStandAlone,
  certificatesFitHosts,
  prefixesArePartOfPaths,
  canariesAreAskedFor,
  headersAreOfMessages,
]

function eachRoute({ manifest, tree }: RuleInput, look: (route: ManifestEntry, node: Tree) => void): void {
  manifest.entry?.forEach((route, index) => {
    look(route, itemOf(tree, 'entry', index))
  })
}

function entryFitsService({ manifest, tree, notes }: RuleInput): void {
  if (manifest.entry === undefined || manifest.entry.length === 0) return
  const at = childOf(tree, 'entry') ?? tree
  if (manifest.service_type !== 'continuous') {
    const message = `a ${manifest.service_type} service ends by itself and cannot serve requests`
    notes.report('manifest/conflict', at, message, 'leave entry out')
  }
  if (manifest.cns?.disable === true || isDisabled(manifest)) {
    const message = 'the entry finds instances by DNS, and disable of cns removes this service from it'
    notes.report('manifest/conflict', at, message, 'leave out disable of cns')
  }
}

function isDisabled({ labels }: ServiceManifest): boolean {
  return (labels['triton.cns.disable'] ?? 'false') !== 'false'
}

/** All that is of HTTP. */
const httpKeys = [
  ...(['host', 'path', 'tls', 'redirect', 'strip_prefix', 'timeout', 'retries'] as const),
  ...(['max_body', 'sticky', 'canary', 'headers'] as const),
]

function tcpStandsAlone(judged: RuleInput): void {
  eachRoute(judged, (route, node) => {
    if (route.tcp === undefined) return
    for (const key of httpKeys)
      if (route[key] !== undefined)
        judged.notes.report(
          'manifest/conflict',
          childOf(node, key) ?? node,
          `connections to a plain TCP port are forwarded unchanged, and ${key} is for HTTP only`,
          `leave ${key} out, or tcp`,
        )
  })
}

function routesAreUnique(judged: RuleInput): void {
  const seen = new Set<string>()
  eachRoute(judged, (route, node) => {
    const { tcp, host = null, path = '/' } = route
    const claim = claimOf(tcp === undefined ? { host, path } : { tcp })
    const { notes } = judged
    if (seen.has(claim))
      notes.report('manifest/conflict', node, `${claim} is given twice`, 'keep one of them')
    seen.add(claim)
  })
}

function routesLeadSomewhere(judged: RuleInput): void {
  const { manifest, notes } = judged
  const ports = manifest.ports.filter(({ protocol }) => protocol === 'tcp').map(({ container }) => container)
  eachRoute(judged, ({ port, redirect }, node) => {
    if (redirect !== undefined) return
    const at = childOf(node, 'port') ?? node
    if (ports.length === 0) {
      const hint = 'give ports: ["0:8080"] for a process, ports: [8080] for a container'
      notes.report('manifest/missing', at, 'the service has no TCP port for the entry to forward to', hint)
      // A number that is not a port is refused by the schema.
    } else if (port !== undefined && isPort(port) && !ports.includes(port)) {
      const hint = `ports for TCP are ${ports.slice(0, 10).join(', ')}`
      notes.report('manifest/conflict', at, `the service has no port ${port}`, hint)
    }
  })
}

function redirectsStandAlone(judged: RuleInput): void {
  eachRoute(judged, (route, node) => {
    if (route.redirect === undefined) return
    for (const key of ['port', 'strip_prefix', 'timeout', 'max_body', 'sticky', 'canary'] as const)
      if (route[key] !== undefined)
        judged.notes.report(
          'manifest/conflict',
          childOf(node, key) ?? node,
          `redirected requests do not reach an instance, and ${key} is for instances`,
          `leave ${key} out`,
        )
  })
}

function certificatesFitHosts(judged: RuleInput): void {
  const { notes } = judged
  eachRoute(judged, ({ host, tls, tcp }, node) => {
    const at = childOf(node, 'tls') ?? node
    if (tls?.mode === undefined || tcp !== undefined) return
    if (host === undefined && tls.mode !== 'off') {
      notes.report(
        'manifest/conflict',
        at,
        'a certificate needs a host, and there is none',
        'give host, or tls: off',
      )
    }
    if (host?.startsWith('*.') === true && tls.mode === 'auto') {
      const message = `a certificate for ${host} cannot be requested over HTTP`
      notes.report('manifest/conflict', at, message, 'give tls: {cert: KEY, key: KEY}, internal or off')
    }
    const isWhole = tls.cert !== undefined && tls.key !== undefined
    if (tls.mode === 'meta' && !isWhole) {
      const message = 'a certificate of the metadata needs cert and key'
      notes.report('manifest/missing', at, message, 'example: tls: {cert: shop-cert, key: shop-key}')
    }
    if (tls.mode !== 'meta' && (tls.cert !== undefined || tls.key !== undefined)) {
      notes.report('manifest/conflict', at, `cert and key are not for ${tls.mode}`, 'leave mode out')
    }
  })
}

function prefixesArePartOfPaths(judged: RuleInput): void {
  eachRoute(judged, ({ path, strip_prefix: prefix }, node) => {
    if (prefix === undefined || path === prefix || path?.startsWith(`${prefix}/`)) return
    const at = childOf(node, 'strip_prefix') ?? node
    const message = `${path ?? '/'} does not begin with ${prefix}`
    judged.notes.report(
      'manifest/conflict',
      at,
      message,
      'strip_prefix is a part of path, or true for all of it',
    )
  })
}

function canariesAreAskedFor(judged: RuleInput): void {
  const { notes } = judged
  eachRoute(judged, ({ canary, weight, sticky }, node) => {
    if (canary === undefined) {
      if (weight > 0) return
      const message = 'no request would reach an instance with weight 0'
      notes.report(
        'manifest/conflict',
        childOf(node, 'weight') ?? node,
        message,
        'give canary, or a weight from 1',
      )
      return
    }
    const at = childOf(node, 'canary') ?? node
    const { header, cookie } = canary
    if (header === undefined && cookie === undefined) {
      const hint = 'example: canary: {header: "X-Canary: 1"}'
      notes.report('manifest/missing', at, 'canary needs a header or a cookie', hint)
    }
    const name = header?.split(':', 1)[0]?.toLowerCase()
    if (name === 'host' || name === 'cookie') {
      const hint = name === 'host' ? 'give a route with that host' : 'give cookie: NAME=VALUE'
      notes.report(
        'manifest/conflict',
        childOf(at, 'header') ?? at,
        `${name} cannot be the header of a canary`,
        hint,
      )
    }
    if (
      cookie !== undefined &&
      sticky !== undefined &&
      [sticky, canaryCookieOf(sticky)].includes(cookie.split('=', 1)[0] ?? '')
    ) {
      const message = `the entry sets ${cookie.split('=', 1)[0]} itself, because of sticky`
      notes.report('manifest/conflict', childOf(at, 'cookie') ?? at, message, 'choose another cookie')
    }
  })
}

/** How a connection is used, and where a message ends: whoever sends it says that, and what another says breaks it. */
const ofConnections = [
  ...['connection', 'content-length', 'keep-alive', 'proxy-connection', 'te'],
  ...['trailer', 'transfer-encoding', 'upgrade'],
]

function headersAreOfMessages(judged: RuleInput): void {
  eachRoute(judged, ({ headers }, node) => {
    const at = childOf(node, 'headers') ?? node
    for (const side of ['request', 'response'] as const)
      for (const name of Object.keys(headers?.[side] ?? {}))
        if (ofConnections.includes(name.toLowerCase())) {
          const own = childOf(at, side) ?? at
          const message = `${name} controls the connection, and the proxy sets it itself`
          judged.notes.report('manifest/conflict', childOf(own, name) ?? own, message, `leave ${name} out`)
        }
  })
}
