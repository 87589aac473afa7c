import { describe, expect, it } from 'vitest'
import { asUnitName } from '../../src/unit/name.js'
import { expandFleetSpecifiers, expandSpecifiers } from '../../src/unit/specifiers.js'

const name = asUnitName('my-app\\x2dx@in-st\\x2d1.service')
const machine = { id: '0123456789abcdef0123456789abcdef', hostname: 'host-a' }

describe('specifiers', () => {
  it.each([
    ['%n', 'my-app\\x2dx@in-st\\x2d1.service'],
    ['%N', 'my-app\\x2dx@in-st\\x2d1'],
    ['%p', 'my-app\\x2dx'],
    ['%P', 'my/app-x'],
    ['%i', 'in-st\\x2d1'],
    ['%I', 'in/st-1'],
    ['%j', 'app\\x2dx'],
    ['%J', 'app-x'],
    ['%m', machine.id],
    ['%H', 'host-a'],
    ['%%', '%'],
    ['%%i %i%%', '%i in-st\\x2d1%'],
  ])('fills %s in', (text, expanded) => {
    expect(expandSpecifiers(text, { name, machine })).toEqual({ text: expanded, problems: [] })
  })

  it('is empty for an instance that a plain unit does not have', () => {
    expect(expandSpecifiers('[%i]', { name: asUnitName('web.service'), machine })).toEqual({
      text: '[]',
      problems: [],
    })
  })

  it('reports each one that it does not know and leaves it as it is', () => {
    const { text, problems } = expandSpecifiers('%z %i 100%', { name, machine })
    expect(text).toBe('%z in-st\\x2d1 100%')
    expect(problems).toEqual([
      '%z is not a known specifier (write %% for a percent sign)',
      '% is not a known specifier (write %% for a percent sign)',
    ])
  })

  it('reports those of the machine while there is none', () => {
    expect(expandSpecifiers('%m', { name, machine: null }).problems).toEqual([
      '%m is not known before the unit has a machine',
    ])
  })

  it('knows four in [X-Fleet], and leaves the rest alone, as fleet does', () => {
    const instance = asUnitName('foo@bar.waldo.service')
    expect(expandFleetSpecifiers('%n|%N|%p|%i|%m|%%', instance)).toBe(
      'foo@bar.waldo.service|foo@bar.waldo|foo|bar.waldo|%m|%%',
    )
  })
})
