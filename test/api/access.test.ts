import { describe, expect, it } from 'vitest'
import { type AccessRules, type Caller, refuseCaller } from '../../src/api/access.js'

const rules: AccessRules = {
  open: false,
  tokens: [
    { role: 'write', text: 'w'.repeat(16) },
    { role: 'read', text: 'r'.repeat(16) },
  ],
  certificates: true,
}

function judge(changes: Partial<Caller>, by: AccessRules = rules): string {
  const caller = {
    method: 'GET',
    path: '/v1/units',
    authorization: undefined,
    certificate: null,
    unfit: null,
  }
  return refuseCaller(by, { ...caller, ...changes })?.code ?? 'let in'
}

describe('callers on TCP', () => {
  it('do everything where an operator has said so, and nothing where there is nothing that they could show', () => {
    const nothing = { tokens: [], certificates: false }
    expect(judge({ method: 'DELETE' }, { ...nothing, open: true })).toBe('let in')
    expect(judge({}, { ...nothing, open: false })).toBe('api/unauthorized')
  })

  it('are let in with a token or a certificate alone', () => {
    expect(judge({})).toBe('api/unauthorized')
    expect(judge({ authorization: `Bearer ${'x'.repeat(16)}` })).toBe('api/unauthorized')
    expect(judge({ authorization: 'w'.repeat(16) })).toBe('api/unauthorized')
    expect(judge({ authorization: `bearer ${'r'.repeat(16)}` })).toBe('let in')
    expect(judge({ certificate: { units: ['read'] } })).toBe('let in')
    expect(judge({ certificate: { units: ['read'] } }, { ...rules, certificates: false })).toBe(
      'api/unauthorized',
    )
  })

  it('change something with the role for it alone', () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(judge({ method, authorization: `Bearer ${'r'.repeat(16)}` })).toBe('api/read-only')
      expect(judge({ method, certificate: { units: ['read'] } })).toBe('api/read-only')
      expect(judge({ method, authorization: `Bearer ${'w'.repeat(16)}` })).toBe('let in')
      expect(judge({ method, certificate: { units: ['write'] } })).toBe('let in')
    }
  })

  it('see records as they are stored, which may hold secrets, with the role for changes alone', () => {
    for (const path of ['/v1/store/export', '/v1/store/record']) {
      expect(judge({ path, authorization: `Bearer ${'r'.repeat(16)}` })).toBe('api/read-only')
      expect(judge({ path, method: 'HEAD', certificate: { units: ['read'] } })).toBe('api/read-only')
      expect(judge({ path, authorization: `Bearer ${'w'.repeat(16)}` })).toBe('let in')
      expect(judge({ path }, { ...rules, open: true })).toBe('let in')
    }
  })

  it('are refused with a certificate that says no role, or several, unless they show a token', () => {
    for (const units of [[], ['ops'], ['Write'], [''], ['read', 'write'], ['write', 'write']]) {
      expect(judge({ certificate: { units } })).toBe('api/no-role')
      expect(judge({ certificate: { units }, authorization: `Bearer ${'r'.repeat(16)}` })).toBe('let in')
    }
  })

  it('are told what is wrong with the certificate that they show, where certificates count', () => {
    const told = (unfit: string): string | undefined =>
      refuseCaller(rules, { method: 'GET', path: '/', authorization: undefined, certificate: null, unfit })
        ?.message
    expect(told('CERT_HAS_EXPIRED')).toContain('it has expired')
    expect(told('UNABLE_TO_VERIFY_LEAF_SIGNATURE')).toContain('not issued by the authority')
    expect(judge({ unfit: 'CERT_HAS_EXPIRED' })).toBe('api/unfit-certificate')
    expect(judge({ unfit: 'CERT_HAS_EXPIRED', authorization: `Bearer ${'r'.repeat(16)}` })).toBe('let in')
    expect(judge({ unfit: 'CERT_HAS_EXPIRED' }, { ...rules, certificates: false })).toBe('api/unauthorized')
  })

  it('may ask without either whether the daemon runs', () => {
    expect(['/healthz', '/readyz', '/metrics'].map((path) => judge({ path }))).toEqual([
      'let in',
      'let in',
      'api/unauthorized',
    ])
  })
})
