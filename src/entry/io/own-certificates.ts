// The certificates of routes that come from the metadata. Where one does not fit, as between two changes that belong together,
// the last pair that did is served on.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { ExpiryWarnings, timeLeft } from '../../lib/expiry.js'
import { describeError, type Log } from '../../lib/io/log.js'
import { replaceFile } from '../../lib/io/replace-file.js'
import { type Instant, type Time, toIso } from '../../lib/time.js'
import { claimOf } from '../../model/entry.js'
import type { ServedRoute } from '../routes.js'
import { isNamed, namesIn } from './certificates.js'
import { keptFiles, readKept } from './kept-files.js'

/** `isThere`: a value that is wrong, and not none. */
interface Wrong {
  readonly problem: string
  readonly isThere: boolean
}

/** What the metadata of a project say. */
export type MetaValue = { readonly value: string } | Wrong

interface Pair {
  readonly cert: string
  readonly key: string
}

/** `from`: the names of its values. */
interface KeptPair extends Pair {
  readonly from: string
}

interface Found {
  readonly pair: KeptPair | null
  readonly problem: string | null
}

interface OwnCertificatesParts {
  /** Where the proxy has its files. */
  readonly dir: string
  readonly metaValue: (project: string, key: string) => MetaValue
  readonly clock: Time
  readonly log: Log
}

export class OwnCertificates {
  readonly #parts: OwnCertificatesParts
  readonly #warnings: ExpiryWarnings
  /** Those that are served, by what their routes claim. */
  #served: Readonly<Record<string, KeptPair>>
  /** The same as it is written down, and what is. */
  #text: string
  #written: string
  #problems: ReadonlyMap<string, string> = new Map()
  #ends: ReadonlyMap<string, Instant> = new Map()

  constructor(parts: OwnCertificatesParts) {
    this.#parts = parts
    this.#warnings = new ExpiryWarnings(parts.clock)
    this.#written = readKept(parts.dir, keptFiles.certificates) ?? '{}'
    this.#text = this.#written
    this.#served = keptPairs(this.#written)
  }

  /** Reads them anew; those to be served, by what their routes claim. */
  read(routes: readonly ServedRoute[]): ReadonlyMap<string, Pair> {
    const served = new Map<string, KeptPair>()
    const problems = new Map<string, string>()
    for (const one of routes) {
      if (one.takenBy !== null) continue
      const claim = claimOf(one.route)
      const { pair, problem } = this.#pairOf(one, claim)
      if (pair !== null) served.set(claim, pair)
      if (problem !== null) problems.set(claim, problem)
    }
    for (const [claim, why] of shadowsOf(routes, served, this.#parts.clock.now())) problems.set(claim, why)
    for (const [claim, why] of problems)
      if (this.#problems.get(claim) !== why) this.#parts.log.warn('entry', `${claim}: ${why}`)
    this.#problems = problems
    this.#served = Object.fromEntries(served)
    this.#text = JSON.stringify(this.#served)
    const ends = [...served].map(([claim, { cert }]) => [claim, endOf(cert)] as const)
    for (const [claim, end] of ends) if (this.#ends.get(claim) !== end) this.#warnings.forget(claim)
    this.#ends = new Map(ends)
    return served
  }

  /** What is wrong with that of a route; null where nothing is. */
  problemOf(claim: string): string | null {
    const end = this.#ends.get(claim)
    const isOver = end !== undefined && end <= this.#parts.clock.now()
    return this.#problems.get(claim) ?? (isOver ? overSince(end) : null)
  }

  /** The certificate that is served for a route, in PEM. */
  certificateOf(claim: string): string | null {
    return this.#served[claim]?.cert ?? null
  }

  /** Warns of those that are about to end. */
  warn(): void {
    const { clock, log } = this.#parts
    const now = clock.now()
    for (const [claim, end] of this.#ends) {
      if (!this.#warnings.isDue(claim, end)) continue
      const what = end <= now ? overSince(end) : `the certificate ends ${timeLeft(end, now)}`
      log.warn('entry', `${claim}: ${what}: replace it in the metadata`, { expiresAt: toIso(end) })
    }
  }

  /** Writes down what is served, for the time after a restart. */
  async keep(): Promise<void> {
    const text = this.#text
    if (text === this.#written) return
    await replaceFile(join(this.#parts.dir, keptFiles.certificates), text)
    this.#written = text
  }

  #pairOf({ project, route: { tls, host } }: ServedRoute, claim: string): Found {
    if (tls.mode !== 'meta') return { pair: null, problem: null }
    const { metaValue } = this.#parts
    const found = pairIn(metaValue(project, tls.cert), metaValue(project, tls.key))
    const from = `${project}/${tls.cert}/${tls.key}`
    const known = this.#served[claim]
    const last = known?.from === from ? known : null
    const previous = (problem: string): Found => ({
      pair: last,
      problem: `${problem}; the previous certificate stays in use`,
    })
    if ('problem' in found)
      return last === null || !found.isThere
        ? { pair: null, problem: found.problem }
        : previous(found.problem)
    const problem = problemOfNames(found, host)
    if (problem !== null && last !== null && problemOfNames(last, host) === null) return previous(problem)
    return { pair: { from, ...found }, problem }
  }
}

function pairIn(cert: MetaValue, key: MetaValue): Pair | Wrong {
  // What is not there counts for more than what is wrong: it was taken away.
  if ('problem' in cert) return cert.isThere && 'problem' in key && !key.isThere ? key : cert
  if ('problem' in key) return key
  const problem = problemOfPair(cert.value, key.value)
  return problem === null ? { cert: cert.value, key: key.value } : { problem, isThere: true }
}

/** Nobody serves less for what is no more to be read. */
function keptPairs(text: string): Readonly<Record<string, KeptPair>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, KeptPair>>
  } catch {
    return {}
  }
}

function overSince(end: Instant): string {
  return `the certificate ended on ${toIso(end).slice(0, 10)}`
}

function endOf(cert: string): Instant {
  return Date.parse(new X509Certificate(cert).validTo)
}

/** One that does not fit would keep the proxy from taking anything new at all. */
function problemOfPair(cert: string, key: string): string | null {
  try {
    const [read, own] = [new X509Certificate(cert), createPrivateKey(key)]
    if (!read.checkPrivateKey(own)) return 'the key does not belong to the certificate'
    return isKnownToProxy(own) ? null : `the proxy does not support its kind of key: ${kindOf(own)}`
  } catch (error) {
    return `certificate or key cannot be read: ${describeError(error)}`
  }
}

/** Go reads no other private keys. */
const keyKinds: ReadonlySet<string> = new Set(['rsa', 'ed25519'])
const curves: ReadonlySet<string> = new Set(['secp224r1', 'prime256v1', 'secp384r1', 'secp521r1'])

function isKnownToProxy({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): boolean {
  return keyKinds.has(type ?? '') || curves.has(details?.namedCurve ?? '')
}

function kindOf({ asymmetricKeyType, asymmetricKeyDetails: details }: KeyObject): string {
  return details?.namedCurve ?? asymmetricKeyType ?? 'unknown'
}

/** Why clients that look at a pair's certificate refuse it for a host; null where they do not for its names. */
function problemOfNames({ cert }: Pair, host: string | null): string | null {
  const names = namesIn(cert)
  return host === null || isNamed(host, names)
    ? null
    : `the certificate is for ${listOf(names)}, not for ${host}`
}

function listOf(names: readonly string[]): string {
  const [first, ...others] = names
  if (first === undefined) return 'no host'
  return others.length === 0 ? first : `${first} and ${others.length} more`
}

/** The proxy takes the first certificate that names a host which has none of its own, and those of the metadata come first. */
function shadowsOf(
  routes: readonly ServedRoute[],
  served: ReadonlyMap<string, Pair>,
  now: Instant,
): readonly (readonly [string, string])[] {
  const valid = [...served].filter(([, { cert }]) => endOf(cert) > now)
  const holders = new Map(valid.flatMap(([claim, { cert }]) => namesIn(cert).map((name) => [name, claim])))
  const own = new Set(routes.flatMap(({ route: { host, tls } }) => (tls.mode === 'meta' ? [host] : [])))
  return routes.flatMap(({ takenBy, route }) => {
    const { host, tls } = route
    if (takenBy !== null || host === null || tls.mode === 'off' || own.has(host)) return []
    const by = holders.get(host)
    return by === undefined
      ? []
      : [[claimOf(route), `the certificate of ${by} is for this host too, and is shown`]]
  })
}
