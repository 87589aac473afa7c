import { expect, test } from 'vitest'
import { ageOfProcess } from '../../../src/drivers/docker/io/started-at.js'

test('the age of a process is what the kernel knows of it, and nothing is known of one that is gone', () => {
  const ofParent = ageOfProcess(process.ppid)
  const own = ageOfProcess(process.pid)
  expect(own).not.toBeNull()
  // A tick is 10 ms, and so fine is each of both.
  expect(ofParent).toBeGreaterThanOrEqual((own ?? 0) - 20)
  expect(ageOfProcess(0)).toBeNull()
})
