import { expect, test } from 'vitest'
import { takeKeys } from '../../src/cli/detach-keys.js'

const keys = (text: string, held = false) => {
  const taken = takeKeys(new TextEncoder().encode(text), held)
  return { ...taken, send: new TextDecoder().decode(taken.send) }
}

test('Ctrl-P Ctrl-Q detaches, typed together or apart; what came before is sent', () => {
  expect(keys('ls\u0010\u0011more')).toEqual({ send: 'ls', held: false, detached: true })
  expect(keys('ls\u0010')).toEqual({ send: 'ls', held: true, detached: false })
  expect(keys('\u0011', true)).toEqual({ send: '', held: false, detached: true })
})

test('Ctrl-P goes to the program with the key behind it', () => {
  expect(keys('a', true)).toEqual({ send: '\u0010a', held: false, detached: false })
  expect(keys('\u0010', true)).toEqual({ send: '\u0010', held: true, detached: false })
  expect(keys('\u0011')).toEqual({ send: '\u0011', held: false, detached: false })
})
