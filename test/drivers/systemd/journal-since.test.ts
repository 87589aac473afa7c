// A journal whose times do not rise, as after the clock was set back: the entries stand in for it, their reader is the real one.
import { expect, test } from 'vitest'
import { readJournal } from '../../../src/drivers/systemd/io/journal.js'
import { asUnitName } from '../../../src/unit/name.js'

test('lines behind one that is late enough are as well, whatever their times say', async () => {
  const entries = [1_000, 5_000, 2_000].map((at) =>
    JSON.stringify({ __REALTIME_TIMESTAMP: String(at * 1000), MESSAGE: `at ${at}` }),
  )
  const host = { root: '', enter: ['printf', '%s\n', ...entries] }
  const query = { follow: false, since: 4_000, tail: 7 }
  const lines: string[] = []
  for await (const batch of readJournal(host, asUnitName('web.service'), query, AbortSignal.timeout(60_000)))
    lines.push(...batch.map(({ line }) => line))
  expect(lines).toEqual(['at 5000', 'at 2000'])
})
