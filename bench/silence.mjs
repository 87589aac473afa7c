// How soon an entry passes over a machine that says nothing any more, and takes it back: the entry's own watch, with addresses
// of the loopback in place of machines, whose packets the kernel drops. As root, with iptables.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { bundleExports } from './bundle.mjs'

const losses = 12

/** Rows of the bench table: `{name, value, unit}`. */
export async function run() {
  const { SilenceWatch, systemClock, silentLog } = await bundleExports(
    `export { SilenceWatch } from './src/entry/io/silence-watch.js'
     export { systemClock } from './src/lib/io/clock.js'
     export { silentLog } from './src/lib/io/log.js'`,
    'silence.mjs',
  )
  const server = createServer((socket) => socket.destroy()).listen(0, '0.0.0.0')
  await once(server, 'listening')
  const rows = []
  for (const machines of [3, 25, 100, 200]) {
    const addresses = Array.from({ length: machines }, (_, n) => `127.0.9.${n + 1}`)
    let changed = () => {}
    const onChange = () => changed()
    const watch = new SilenceWatch({ clock: systemClock, log: silentLog, onChange })
    watch.follow(new Map(addresses.map((one) => [one, { ports: [server.address().port], daemonPort: null }])))
    // Each was looked at a few times.
    await delay(5000)
    const took = { passedOver: [], takenBack: [] }
    const noted = async (times, act) => {
      const change = new Promise((resolve) => {
        changed = resolve
      })
      const from = performance.now()
      act()
      await change
      times.push(performance.now() - from)
    }
    for (let n = 0; n < losses; n++) {
      // At any moment between two looks; each address once at the most while there are enough.
      await delay(Math.random() * 2000)
      const address = addresses[n % machines]
      await noted(took.passedOver, () => drop('--insert', address))
      await noted(took.takenBack, () => drop('--delete', address))
    }
    watch.stop()
    for (const [name, times] of Object.entries(took))
      for (const [what, value] of [
        ['shortest', Math.min(...times)],
        ['longest', Math.max(...times)],
      ])
        rows.push({ name: `${machines} machines, ${name}, ${what} of ${losses}`, value, unit: 'ms' })
  }
  server.close()
  return rows
}

function drop(action, address) {
  execFileSync('iptables', ['--wait', action, 'INPUT', '--destination', address, '--jump', 'DROP'])
}
