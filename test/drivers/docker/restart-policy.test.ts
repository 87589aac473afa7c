// Which policy a container is to have while it is to run.
import { expect, test } from 'vitest'
import type { Inspected } from '../../../src/drivers/docker/api.js'
import { runLabel } from '../../../src/drivers/docker/labels.js'
import {
  asksForRestart,
  noRestart,
  policyOfRun,
  restartMark,
  wantedPolicy,
} from '../../../src/drivers/docker/restart-policy.js'

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

test('is none for a run: what its unit says is for the agent to carry out', () => {
  const run = container({ ...restartMark(thrice), [runLabel]: 'true' })
  expect(wantedPolicy(run, always)).toEqual(noRestart)
  expect(policyOfRun(run)).toEqual(thrice)
  expect(policyOfRun(container(restartMark(thrice)))).toBeNull()
})

test.each([
  [noRestart, 1, 0, false],
  [thrice, 1, 2, true],
  [thrice, 1, 3, false],
  [thrice, 0, 0, false],
  [{ Name: 'on-failure', MaximumRetryCount: 0 } as const, 1, 99, true],
  [always, 0, 99, true],
  [{ Name: 'unless-stopped', MaximumRetryCount: 0 } as const, 0, 1, true],
])('%j after exit status %i and %i restarts: %s', (policy, status, restarts, wanted) => {
  expect(asksForRestart(policy, status, restarts)).toBe(wanted)
})
