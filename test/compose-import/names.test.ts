import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chooseNames, servicesNamedIn, withNewNames } from '../../src/compose-import/names.js'

describe('names of services', () => {
  test('are DNS labels, each of them once, and those that are already stay', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.oneof(fc.string(), fc.stringMatching(/^[A-Za-z_.-]{1,70}$/))),
        (names) => {
          const chosen = chooseNames(names)
          expect([...chosen.keys()].sort()).toEqual([...names].sort())
          expect(new Set(chosen.values()).size).toBe(names.length)
          for (const [name, label] of chosen) {
            expect(label).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
            if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) expect(label).toBe(name)
          }
        },
      ),
    )
  })
})

describe('a service in a text', () => {
  const names = chooseNames(['my_db', 'web', 'cache'])

  test.each([
    ['postgres://u:p@my_db:5432/x', ['my_db'], 'postgres://u:p@my-db:5432/x'],
    ['http://web/path and web:80', ['web'], 'http://web/path and web:80'],
    ['my_db:1,cache:2', ['my_db', 'cache'], 'my-db:1,cache:2'],
    ['--upstream=my_db:80', ['my_db'], '--upstream=my-db:80'],
    ['my_db is a word', [], 'my_db is a word'],
    ['my_db.example.org:80 and a.my_db:80', [], 'my_db.example.org:80 and a.my_db:80'],
    ['/my_db:80 $my_db:80', [], '/my_db:80 $my_db:80'],
    ['http://my_db@host', [], 'http://my_db@host'],
  ])('as in %j is found where a host stands', (text, found, renamed) => {
    expect(servicesNamedIn(text, names)).toEqual(found)
    expect(withNewNames(text, names)).toBe(renamed)
  })
})
