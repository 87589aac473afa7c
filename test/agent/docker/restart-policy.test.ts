// Which policy a container is to have while it is to run.
import { expect, test } from 'vitest'
import type { Inspected } from '../../../src/agent/docker/api.js'
import { noRestart, restartMark, wantedPolicy } from '../../../src/agent/docker/restart-policy.js'

const always = { Name: 'always', MaximumRetryCount: 0 } as const
const thrice = { Name: 'on-failure', MaximumRetryCount: 3 } as const

const container = (Labels: Readonly<Record<string, string>>) =>
  ({ Config: { Labels }, HostConfig: { RestartPolicy: noRestart } }) as unknown as Inspected

test('is the one of its label, also once that was taken off', () => {
  expect(wantedPolicy(container(restartMark(thrice)), always)).toEqual(thrice)
})

test('is that of its unit where a container of an earlier version has no label', () => {
  expect(wantedPolicy(container({}), always)).toEqual(always)
})

test('is what it has where nothing else is known', () => {
  expect(wantedPolicy(container({}))).toEqual(noRestart)
})
