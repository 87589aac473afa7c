// What `/readyz` says of an etcd that the daemon cannot use.
import { expect, test } from 'vitest'
import { describeAway } from '../../src/main/condition.js'
import { deniedError } from '../../src/store/io/etcd/errors.js'

test('an etcd that does not let us in is not told to be without a quorum', () => {
  const { message } = deniedError('authentication failed')
  expect(describeAway(message)).toBe(`the store is unreachable: ${message}`)
  expect(describeAway('no answer within 3000 ms')).toContain('no quorum of etcd answers: no answer')
})
