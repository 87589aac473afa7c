import { expect, test } from 'vitest'
import { describeScopeChange } from '../../src/cli/scope-change.js'
import { aTask } from './bodies.js'

test('a freeze names the service whose uuid was given, and the command that lifts just this freeze', () => {
  const uuid = 'a1da3ac9-539f-55b1-b2cd-9daa8f56b32c'
  const frozen = (scope: string) => aTask({ task: 'freeze', scope })
  expect(describeScopeChange('freeze', `default/${uuid}`, [frozen('default/web')])).toBe(
    'default/web: frozen: nothing changes until mariposa queue unfreeze --service web',
  )
  expect(describeScopeChange('freeze', 'default', [frozen('default')])).toBe(
    'default: frozen: nothing changes until mariposa queue unfreeze',
  )
  expect(describeScopeChange('unfreeze', 'default/web', [])).toBe('default/web: unfrozen')
})
