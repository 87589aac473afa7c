// Who may do what on TCP: bearer tokens and client certificates, with the roles `read` and `write` (contract §5).

import type { Problem } from '../changes/problem.js'
import { paths } from '../contract/contract.js'
import { sha1 } from '../lib/hash.js'

type Role = 'read' | 'write'

/** A bearer token that is let in. */
export interface Token {
  readonly role: Role
  readonly text: string
}

/** What a caller on TCP shows of itself. */
export interface Caller {
  readonly method: string
  /** Of the route that would answer, however the request spells it; empty where there is none. */
  readonly path: string
  readonly authorization: string | undefined
  /** Of a certificate that our authority has signed: every `OU` of its subject; null without one. */
  readonly certificate: { readonly units: readonly string[] } | null
  /** Why a certificate that it shows says nothing of it: OpenSSL's code; null where it shows none, or one that counts. */
  readonly unfit: string | null
}

/** What callers on TCP have to show. Where there is nothing that they could show, nobody is let in. */
export interface AccessRules {
  /** Everybody who reaches the address may do everything: an operator has said so. */
  readonly open: boolean
  readonly tokens: readonly Token[]
  /** Whether a certificate of our authority is enough. */
  readonly certificates: boolean
}

/** Why a caller is not let in; null when it is. */
export function refuseCaller(rules: AccessRules, caller: Caller): Problem | null {
  if (rules.open || forEverybody.has(caller.path)) return null
  const role = roleOf(rules, caller)
  if (role === null) return whyUnknown(rules, caller)
  if (role === 'write') return null
  if (withSecrets.has(caller.path)) return storedRecords
  return caller.method === 'GET' || caller.method === 'HEAD' ? null : readOnly
}

/** Says of a daemon whether it runs, and nothing else. */
const forEverybody: ReadonlySet<string> = new Set([paths.health, paths.ready])

/** Records as they are stored: the text of a manifest may have the secret of a trigger URL in it. */
const withSecrets: ReadonlySet<string> = new Set([paths.record, paths.exportRecords])

function roleOf(rules: AccessRules, { authorization, certificate }: Caller): Role | null {
  const ofCertificate = rules.certificates ? roleOfUnits(certificate?.units ?? []) : null
  if (ofCertificate !== null) return ofCertificate
  const shown = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (shown === undefined) return null
  // Hashes are compared, so that the time that takes tells nothing of a token.
  const digest = sha1(shown)
  return rules.tokens.find(({ text }) => sha1(text) === digest)?.role ?? null
}

/** To be of the authority gives no right: the certificate says which, in one `OU` and no other. */
function roleOfUnits(units: readonly string[]): Role | null {
  const [unit] = units
  return units.length === 1 && (unit === 'read' || unit === 'write') ? unit : null
}

function whyUnknown({ certificates }: AccessRules, { certificate, unfit }: Caller): Problem {
  if (!certificates) return unknownCaller
  if (certificate !== null) return withoutRole
  return unfit === null ? unknownCaller : unfitCertificate(unfit)
}

function unfitCertificate(code: string): Problem {
  const [why, hint] = certificateFaults[code] ?? [
    `it was not issued by the authority that this daemon trusts (${code})`,
    'have it issued by the authority in --tls-ca-file of that daemon, or give --token',
  ]
  return {
    status: 401,
    code: 'api/unfit-certificate',
    message: `the client certificate is not accepted: ${why}`,
    hint,
  }
}

const certificateFaults: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  CERT_HAS_EXPIRED: ['it has expired', 'renew it; a daemon takes it without a restart'],
  CERT_NOT_YET_VALID: [
    'it is not valid yet',
    'compare the clocks of both machines with the start of its validity',
  ],
}

const unknownCaller: Problem = {
  status: 401,
  code: 'api/unauthorized',
  message: 'this address is for callers with a token or a certificate that it knows',
  hint: 'give one with --token, or with --cert-file and --key-file; a daemon that has no --token-file keeps a token of its own in the file "token" of its data directory',
}

const withoutRole: Problem = {
  status: 403,
  code: 'api/no-role',
  message: 'this certificate has no role: its subject needs exactly one OU, read or write',
  hint: 'have it reissued with OU=read or OU=write, or give --token',
}

const readOnly: Problem = {
  status: 403,
  code: 'api/read-only',
  message: 'this token or certificate is read-only',
}

const storedRecords: Problem = {
  status: 403,
  code: 'api/read-only',
  message: 'this token or certificate is read-only, and stored records may hold secrets of trigger URLs',
  hint: 'use one with the role write, or ask over the unix socket of the daemon',
}

/** The tokens of a file: a line each, `read TOKEN` or `write TOKEN`; or what is wrong with a line. */
export function readTokens(
  text: string,
): { readonly tokens: readonly Token[] } | { readonly line: number; readonly problem: string } {
  const tokens: Token[] = []
  for (const [at, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const [, role, token = ''] = /^(read|write)[ \t]+([^ \t]+)$/.exec(line) ?? []
    if (role !== 'read' && role !== 'write') {
      return { line: at + 1, problem: 'write "read TOKEN" or "write TOKEN"' }
    }
    if (!isSendable(token)) {
      const problem = 'a token may only have ASCII letters, digits and signs'
      return { line: at + 1, problem }
    }
    if (token.length < shortestToken) {
      return { line: at + 1, problem: `a token has ${shortestToken} characters at least` }
    }
    tokens.push({ role, text: token })
  }
  return tokens.length === 0 ? { line: 1, problem: 'there is no token' } : { tokens }
}

const shortestToken = 16

/** Whether a token can stand in a header of HTTP: characters outside ASCII arrive as others, or not at all. */
export function isSendable(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token)
}
