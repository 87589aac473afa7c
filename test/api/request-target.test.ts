import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { originForm } from '../../src/api/request-target.js'

describe('the target of a request', () => {
  test('loses scheme and address where it is a whole URL', () => {
    expect(originForm('http://domain-sock/fleet/v1/units/a%40.service?alt=json')).toBe(
      '/fleet/v1/units/a%40.service?alt=json',
    )
    expect(originForm('HTTPS://[::1]:7443/v1/services')).toBe('/v1/services')
  })

  test('is the root where the URL has no path', () => {
    expect(originForm('http://localhost')).toBe('/')
    expect(originForm('http://localhost?alt=json')).toBe('/?alt=json')
  })

  test('stays as it is where it is a path, whatever follows, and URLs too', () => {
    fc.assert(fc.property(fc.webUrl(), (url) => originForm(`/${url}`) === `/${url}`))
    expect(originForm('*')).toBe('*')
    expect(originForm('')).toBe('')
  })
})
