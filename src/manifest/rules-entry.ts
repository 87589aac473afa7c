// Rules of the entry.
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
    const message = `a ${manifest.service_type} service runs once, and serves nobody`
    notes.report('manifest/conflict', at, message, 'leave entry out')
  }
  if (manifest.cns?.disable === true || isDisabled(manifest)) {
    const message = 'the entry finds instances as names do, and this service has none'
    notes.report('manifest/conflict', at, message, 'leave disable of cns out')
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
          `connections at a port for plain TCP are led on as they are, and ${key} is for HTTP`,
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
      notes.report('manifest/missing', at, 'the service has no TCP port that the entry could lead to', hint)
    } else if (port !== undefined && !ports.includes(port)) {
      const hint = `ports for TCP are ${ports.slice(0, 10).join(', ')}`
      notes.report('manifest/conflict', at, `${port} is none of the ports of the service`, hint)
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
          `no instance sees what is redirected, and ${key} is for instances`,
          `leave ${key} out`,
        )
  })
}

function certificatesFitHosts(judged: RuleInput): void {
  const { notes } = judged
  eachRoute(judged, ({ host, tls }, node) => {
    const at = childOf(node, 'tls') ?? node
    if (tls?.mode === undefined) return
    if (host === undefined && tls.mode !== 'off') {
      notes.report(
        'manifest/conflict',
        at,
        'a certificate is for a host, and there is none',
        'give host, or tls: off',
      )
    }
    if (host?.startsWith('*.') === true && tls.mode === 'auto') {
      const message = `a certificate for ${host} cannot be had by asking over HTTP`
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
      const message = 'nothing would reach an instance with weight 0: no request asks for it'
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
      const message = `the entry sets ${cookie.split('=', 1)[0]} itself, as sticky says`
      notes.report('manifest/conflict', childOf(at, 'cookie') ?? at, message, 'choose another cookie')
    }
  })
}
