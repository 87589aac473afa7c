// Machines that do not answer the proxy are passed over, while there are others.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { SilenceWatch } from '../../src/entry/io/silence-watch.js'
import { afterLook, newHearing, probesOf, withoutSilent } from '../../src/entry/silent.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { silentLog } from '../../src/lib/io/log.js'
import type { Time } from '../../src/lib/time.js'
import { putOf } from '../../src/store/records.js'
import { freePort } from '../free-port.js'
import { idOf } from '../world/world.js'
import { EnteredWorld } from './entered.js'

/** Longer than silence takes to be known. */
const longEnoughMs = 1200

const [here, there] = [
  { address: '10.0.0.1', port: 31000, copies: 1 },
  { address: '10.0.0.2', port: 31000, copies: 1 },
]

test('a group is without those that are silent, and keeps them where nobody else is left', () => {
  const table = { both: [here, there], one: [there], none: [] }
  expect(withoutSilent(table, new Set([there.address]))).toEqual({ both: [here], one: [there], none: [] })
  expect(withoutSilent(table, new Set([here.address, there.address]))).toEqual(table)
})

describe('those that are asked', () => {
  const text = (entry: string): string =>
    `compute_type: process\ncommand: [/bin/web]\nports: [8080]\nmemory: 16M\nentry: ${entry}\n`

  function worldOf(entry: string, scale: number) {
    const world = new EnteredWorld()
    const announced = [
      { name: 'a', outside: '10.0.0.1', api: 'https://10.0.0.1:7443' },
      { name: 'b', outside: '10.0.0.2', api: 'https://10.0.0.2:7443' },
      { name: 'c', outside: '10.0.0.3' },
    ]
    for (const { name, ...more } of announced) {
      const machine = world.view.machines.get(world.machine(name, { outside: more.outside }))
      if (machine !== undefined) world.apply([putOf('knownMachine', { ...machine, ...more })])
    }
    world.deploy(text(entry), { scale })
    world.settle()
    return world
  }

  const probesAt = (world: EnteredWorld, machine: string) =>
    [...probesOf(world.view, idOf(machine), world.routes(), world.table())].sort()

  test('are the other machines that HTTP is led to, each at its ports', () => {
    expect(probesAt(worldOf('{}', 3), 'a')).toEqual([
      ['10.0.0.2', { ports: [8080], daemonPort: 7443 }],
      ['10.0.0.3', { ports: [8080], daemonPort: null }],
    ])
  })

  test('are asked as ever where another machine says an address that is none', () => {
    const world = worldOf('{}', 3)
    const machine = world.view.knownMachines.get(idOf('b'))
    if (machine !== undefined) world.apply([putOf('knownMachine', { ...machine, api: 'of a later kind' })])
    expect(probesAt(world, 'a')).toEqual([
      ['10.0.0.2', { ports: [8080], daemonPort: null }],
      ['10.0.0.3', { ports: [8080], daemonPort: null }],
    ])
  })

  test('are none where nobody else would serve, and where all is plain TCP', () => {
    expect(probesAt(worldOf('{}', 1), 'c')).toEqual([])
    expect(probesAt(worldOf('{tcp: 5432}', 3), 'a')).toEqual([])
  })
})

describe('a machine', () => {
  const found = { '.': 'instance', r: 'machine', '-': 'nothing' } as const

  /**
   * What becomes of one by looks that found an instance, `.`, a machine that refuses, `r`, or nothing, `-`: `o` as long as it gets
   * requests, else `x`.
   */
  function seen(looks: string): string {
    let hearing = newHearing
    return [...looks]
      .map((look) => {
        hearing = afterLook(hearing, found[look as keyof typeof found])
        return hearing.isSilent ? 'x' : 'o'
      })
      .join('')
  }

  test('is silent after two looks that heard nothing, and after four that did no more', () => {
    expect(seen('.-.-.--')).toBe('oooooox')
    expect(seen('--...-....-')).toBe('oxxxxxxxxoo')
  })

  test('that refuses is not silent, and once it was silent gets requests only when its instances answer', () => {
    expect(seen('rrr-r-r--')).toBe('oooooooox')
    expect(seen('--rrrrrrrr..r.r.')).toBe('oxxxxxxxxxxxxxxo')
    expect(seen('--...r-r...r.')).toBe('oxxxxxxxxxxxo')
  })

  test('that comes and goes is out for longer each time, until it has answered for two minutes', () => {
    const trusted = (looks: string): number =>
      seen(`${looks}${'.'.repeat(100)}`)
        .slice(looks.length)
        .indexOf('o')
    expect(trusted('--')).toBe(3)
    expect(trusted('--....--')).toBe(7)
    expect(trusted(`--....${'--........'.repeat(5)}--`)).toBe(15)
    expect(trusted(`${`--${'.'.repeat(64)}`.repeat(10)}--`)).toBe(63)
    expect(trusted(`--${'.'.repeat(500)}--`)).toBe(3)
  })
})

describe('an address', () => {
  const undo: (() => void)[] = []
  afterEach(() => {
    for (const step of undo.splice(0).reverse()) step()
  })

  function watchOf(port: number, daemonPort: number | null = null, clock: Time = systemClock) {
    let tell = (): void => {}
    const watch = new SilenceWatch({ clock, log: silentLog, onChange: () => tell() })
    undo.push(() => watch.stop())
    watch.follow(new Map([['127.0.0.1', { ports: [port], daemonPort }]]))
    const becomes = (isSilent: boolean): Promise<void> =>
      new Promise((resolve) => {
        tell = () => {
          if (watch.silent.has('127.0.0.1') === isSilent) resolve()
        }
        tell()
      })
    return { watch, becomes }
  }

  test('answers where a connection is refused', async () => {
    const port = await freePort()
    const { watch } = watchOf(port)
    await new Promise((resolve) => setTimeout(resolve, longEnoughMs))
    expect(watch.silent).toEqual(new Set())
  })

  test('answers where a program has no room for a connection more, and the daemon of the machine has', async () => {
    const { port } = await fullServer()
    const { watch } = watchOf(port, await freePort())
    await new Promise((resolve) => setTimeout(resolve, longEnoughMs))
    expect(watch.silent).toEqual(new Set())
  })

  test('has answered where this process was held up, and read nothing meanwhile', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    undo.push(() => server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const looksWanted = 8
    const { watch } = await new Promise<ReturnType<typeof watchOf>>((resolve, reject) => {
      let looks = 0
      const heldUp: Time = {
        ...systemClock,
        after: (ms, run) =>
          systemClock.after(ms, () => {
            run()
            // What it asked for is answered meanwhile, and the next look is due.
            holdUp(300)
            if (++looks === looksWanted) setImmediate(() => setImmediate(() => resolve(watching)))
          }),
      }
      const watching = watchOf(port, null, heldUp)
      watching.becomes(true).then(() => reject(new Error('it was taken for silent')), reject)
    })
    expect(watch.silent).toEqual(new Set())
  })

  test('that was silent is so until an instance takes a connection: to be refused is not enough', async () => {
    const { port, server } = await fullServer()
    const { watch, becomes } = watchOf(port)
    await becomes(true)
    server.kill('SIGKILL')
    await once(server, 'exit')
    const refused = connect({ port, host: '127.0.0.1' })
    await once(refused, 'error')
    await new Promise((resolve) => setTimeout(resolve, 2 * longEnoughMs))
    expect(watch.silent).toEqual(new Set(['127.0.0.1']))
    const next = createServer((socket) => socket.on('error', () => {})).listen(port, '127.0.0.1')
    undo.push(() => next.close())
    await becomes(false)
  })

  test('is silent while nothing there says anything, and no longer', async () => {
    const { port, server } = await fullServer()
    const { watch, becomes } = watchOf(port)
    await becomes(true)
    expect(watch.silent).toEqual(new Set(['127.0.0.1']))
    server.kill('SIGCONT')
    await becomes(false)
  })

  /** What is stopped and has no room for a connection more says nothing to whoever would make one, as a machine without power. */
  async function fullServer(): Promise<{ readonly port: number; readonly server: ChildProcess }> {
    const listening =
      "const s = require('net').createServer((c) => c.on('error', () => {})).listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(s.address().port))"
    const server = spawn(process.execPath, ['-e', listening], { stdio: ['ignore', 'pipe', 'inherit'] })
    undo.push(() => server.kill('SIGKILL'))
    const [line] = (await once(server.stdout, 'data')) as [Buffer]
    const port = Number(String(line))
    server.kill('SIGSTOP')
    for (let n = 0; n < 2; n++) {
      const filler: Socket = connect({ port, host: '127.0.0.1' })
      undo.push(() => filler.destroy())
      filler.on('error', () => {})
      await once(filler, 'connect')
    }
    return { port, server }
  }
})

/** Does nothing else for so long. */
function holdUp(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
