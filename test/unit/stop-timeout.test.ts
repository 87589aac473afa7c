import { expect, test } from 'vitest'
import { parseUnit } from '../../src/unit/parse.js'
import { stopTimeoutOf } from '../../src/unit/stop-timeout.js'

test.each([
  ['[Container]\nImage=web\nStopTimeout=5', 5000],
  ['[Container]\nImage=web\nStopTimeout=0', 0],
  ['[Container]\nImage=web\nStopTimeout=-1', Number.POSITIVE_INFINITY],
  ['[Container]\nImage=web', 10_000],
  ['[Service]\nTimeoutStopSec=1min 30s', 90_000],
  ['[Service]\nTimeoutStopSec=1ms', 1],
  ['[Service]\nTimeoutStopSec=0', Number.POSITIVE_INFINITY],
  ['[Service]\nTimeoutStopSec=infinity', Number.POSITIVE_INFINITY],
  ['[Service]\nExecStart=/bin/x', 90_000],
])('%j stops within %d ms', (text, ms) => {
  expect(stopTimeoutOf(parseUnit(text).file)).toBe(ms)
})
