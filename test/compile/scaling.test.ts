// What the autoscaler and the agents are told of a trigger.
import { expect, test } from 'vitest'
import { scalingOf } from '../../src/compile/scaling.js'
import { parseManifest } from '../../src/manifest/manifest.js'

test.each([
  ['containerpilot|containermonitor.dblatency', 'containerpilot containermonitor dblatency'],
  ['containermonitor.dblatency', 'containermonitor containerpilot dblatency'],
  ['containerpilot.dblatency', 'containerpilot dblatency'],
  ['containermonitor.ram_used', 'containermonitor mem_agg_usage'],
  ['containermonitor.plugin_restarts', 'containermonitor plugin_restarts'],
  ['entry.rps', 'entry.rps'],
])('service.db.%s is read from where it may be', (source, expected) => {
  const trigger = { source: `service.db.${source}`, operator: '<', value: 1, time: 60, action: 'incr' }
  const text = JSON.stringify({ image: 'nginx', triggers: { a: trigger } })
  const { manifests, diagnostics } = parseManifest({ file: 'web.json', text })
  expect(diagnostics).toEqual([])
  const [read] = manifests.map(({ manifest }) => scalingOf(manifest).scaling?.triggers[0]?.source)
  expect(read && [...read.providers, read.metric].join(' ')).toBe(expected)
})
