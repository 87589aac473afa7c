// Webhooks of a manifest as the version keeps them: no part of the unit, but of what the leader does with its events.
import { isLocalName, isPublicAddress } from '../lib/address.js'
import type { ServiceManifest } from '../manifest/schema.js'
import type { DeferredText } from '../model/deferred-text.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { Webhook } from '../model/webhook.js'
import { deferredTextOf } from './deferred-text.js'
import { pointer, problemAt } from './problem.js'

interface CompiledWebhooks {
  readonly webhooks: readonly Webhook[]
  readonly problems: readonly Diagnostic[]
}

type ManifestWebhook = ServiceManifest['webhooks'][number]

/**
 * The webhooks of a manifest. Codes: `compile/bad-webhook-url`, `compile/private-address`, `compile/bad-header`,
 * `compile/no-instance`.
 */
export function compileWebhooks(manifest: ServiceManifest): CompiledWebhooks {
  const read = manifest.webhooks.map((webhook, index) => {
    const at = (...steps: string[]): string => pointer('webhooks', index, ...steps)
    const earlier = manifest.webhooks.slice(0, index).some(({ url }) => url === webhook.url)
    const texts = textsOf(webhook, at)
    return {
      webhook: webhookOf(webhook, texts),
      problems: [
        ...urlProblems(webhook, at('url'), earlier),
        ...texts.problems,
        ...headerProblems(webhook, at),
      ],
    }
  })
  return {
    webhooks: read.map(({ webhook }) => webhook),
    problems: read.flatMap(({ problems }) => problems),
  }
}

interface Texts {
  readonly secret: DeferredText | null
  readonly headers: Readonly<Record<string, DeferredText>>
  readonly problems: readonly Diagnostic[]
}

type At = (...steps: string[]) => string

function textsOf({ secret, headers }: ManifestWebhook, at: At): Texts {
  const problems: Diagnostic[] = []
  const read = (text: string, path: string): DeferredText => {
    const pieces = deferredTextOf(text)
    if (!('variable' in pieces)) return pieces
    const message = `a webhook is not about one instance, so there is no ${pieces.variable}`
    problems.push(
      problemAt(path, 'compile/no-instance', message, 'the body of a delivery describes the event'),
    )
    return []
  }
  return {
    secret: secret === undefined ? null : read(secret, at('secret')),
    headers: Object.fromEntries(
      Object.entries(headers ?? {}).map(([name, text]) => [name, read(text, at('headers', name))]),
    ),
    problems,
  }
}

function webhookOf({ url, events, allow_private }: ManifestWebhook, texts: Texts): Webhook {
  return { url, events, secret: texts.secret, headers: texts.headers, allowPrivate: allow_private }
}

function urlProblems(webhook: ManifestWebhook, path: string, earlier: boolean): readonly Diagnostic[] {
  const bad = (message: string, hint: string): readonly Diagnostic[] => [
    problemAt(path, 'compile/bad-webhook-url', message, hint),
  ]
  if (earlier)
    return bad('there is already a webhook with this URL', 'merge the two into one, with all events')
  const host = parseHost(webhook.url)
  if (host === null) return bad('nothing can be sent to this URL', 'example: https://hooks.example/in')
  if (webhook.allow_private || (!isLocalName(host) && isPublicAddress(host) !== false)) return []
  const message = `${host} is a private address`
  const hint = 'add allow_private: true if the receiver is meant to be there'
  return [problemAt(path, 'compile/private-address', message, hint)]
}

function parseHost(url: string): string | null {
  try {
    return new URL(url).hostname
  } catch {
    return null
  }
}

/** What every delivery says itself. */
const ownHeaders = /^(host|content-(length|type|encoding)|transfer-encoding|connection|expect|webhook-.*)$/i

function headerProblems({ headers }: ManifestWebhook, at: At): readonly Diagnostic[] {
  return Object.entries(headers ?? {}).flatMap(([name, text]) => {
    const path = at('headers', name)
    const bad = (message: string): Diagnostic[] => [problemAt(path, 'compile/bad-header', message)]
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      return bad(`${JSON.stringify(name)} is not a header name`)
    if (ownHeaders.test(name)) return bad(`${name} is set by every delivery itself`)
    return /[\r\n\0]/.test(text) ? bad(`the value of ${name} has a line break`) : []
  })
}
