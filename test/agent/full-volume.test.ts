// When a volume counts as full.
import { expect, test } from 'vitest'
import { describeFull } from '../../src/agent/full-volume.js'

const roomy = { bsize: 4096, bavail: 1000, files: 100, ffree: 50 }

test.each([
  ['there is room', roomy, null],
  ['the number of files has no limit', { ...roomy, files: 0, ffree: 0 }, null],
  ['a MiB is left', { ...roomy, bavail: 256 }, null],
  ['less is left', { ...roomy, bavail: 255 }, 'its disk has 1.0 MB left'],
  ['nothing is left', { ...roomy, bavail: 0 }, 'its disk has 0 kB left'],
  ['no file is left', { ...roomy, ffree: 0 }, 'its disk takes no more files'],
])('%s', (_, room, why) => {
  expect(describeFull(room)).toBe(why)
})
