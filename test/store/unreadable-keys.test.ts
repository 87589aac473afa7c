import { expect, test } from 'vitest'
import type { Unreadable } from '../../src/store/quarantine.js'
import { UnreadableKeys } from '../../src/store/unreadable-keys.js'

const keysOf = (...keys: readonly string[]) => keys.map((key) => ({ key }))

test('a record that can be read again is noticed while another one can no longer be', () => {
  const unreadable = new Map([['services/shop/a', {} as Unreadable]])
  const keys = new UnreadableKeys({ unreadable })
  expect(keys.note(keysOf('services/shop/a', 'services/shop/b'))).toBe(false)
  unreadable.delete('services/shop/a')
  unreadable.set('services/shop/b', {} as Unreadable)
  expect(keys.note(keysOf('services/shop/a', 'services/shop/b'))).toBe(true)
  expect(keys.note(keysOf('services/shop/a', 'services/shop/b'))).toBe(false)
  unreadable.clear()
  expect(keys.note(keysOf('services/shop/a'))).toBe(false)
  expect(keys.note(keysOf('services/shop/b'))).toBe(true)
})
