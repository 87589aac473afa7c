// What HAProxy is told of a port for plain TCP.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  haproxyConfig,
  isDone,
  pidIn,
  readServers,
  type ShownServer,
  serverCommands,
  type TcpServer,
  tcpListens,
  tcpServers,
} from '../../src/entry/haproxy.js'
import type { ServedTcp } from '../../src/entry/routes.js'

const server = fc.record({
  name: fc.constantFrom('a:1', 'b:1', 'c:1', 'd:1', 'e:1'),
  weight: fc.integer({ min: 1, max: 256 }),
})
const wantedServers: fc.Arbitrary<readonly TcpServer[]> = fc
  .uniqueArray(server, { selector: ({ name }) => name })
  .map((list) => list.map((one) => ({ ...one, at: `10.0.0.1:${one.name.charCodeAt(0)}` })))
const shownServers: fc.Arbitrary<readonly ShownServer[]> = fc
  .uniqueArray(fc.tuple(server, fc.boolean(), fc.nat(2)), { selector: ([{ name }]) => name })
  .map((list) => list.map(([one, isOut, open]) => ({ ...one, isOut, open })))

/** HAProxy, as far as these commands go. */
function obey(known: readonly ShownServer[], commands: readonly string[]): readonly ShownServer[] {
  const servers = new Map(known.map((one) => [one.name, one]))
  for (const command of commands) {
    const name = /out\/(\S+)/.exec(command)?.[1] ?? ''
    const shown = servers.get(name)
    const weight = Number(/weight (?:\S+ )?(\d+)$/.exec(command)?.[1])
    if (command.startsWith('add server ')) {
      expect(shown).toBeUndefined()
      servers.set(name, { name, isOut: true, weight, open: 0 })
      continue
    }
    if (shown === undefined) throw new Error(`No such server: ${command}`)
    if (command.startsWith('set weight ')) servers.set(name, { ...shown, weight })
    else if (command.endsWith(' state ready')) servers.set(name, { ...shown, isOut: false })
    else if (command.endsWith(' state maint')) servers.set(name, { ...shown, isOut: true })
    else {
      expect(command).toBe(`del server out/${name}`)
      expect(shown).toMatchObject({ isOut: true, open: 0 })
      servers.delete(name)
    }
  }
  return [...servers.values()]
}

describe('the commands', () => {
  test('have it lead to those who serve, by their shares, and to nobody else', () => {
    fc.assert(
      fc.property(shownServers, wantedServers, (known, wanted) => {
        const led = obey(known, serverCommands(known, wanted)).filter(({ isOut }) => !isOut)
        expect(new Map(led.map(({ name, weight }) => [name, weight]))).toEqual(
          new Map(wanted.map(({ name, weight }) => [name, weight])),
        )
      }),
    )
  })

  test('keep whoever has a connection, and forget all others in the end', () => {
    fc.assert(
      fc.property(shownServers, wantedServers, (known, wanted) => {
        const first = obey(known, serverCommands(known, wanted))
        const names = (list: readonly { readonly name: string }[]) => new Set(list.map(({ name }) => name))
        for (const { name, open } of known) if (open > 0) expect(names(first)).toContain(name)
        const closed = first.map((one) => ({ ...one, open: 0 }))
        const last = obey(closed, serverCommands(closed, wanted))
        expect(names(last)).toEqual(names(wanted))
        expect(serverCommands(last, wanted)).toEqual([])
      }),
    )
  })

  test('never leave it with nobody in between where somebody serves before and after', () => {
    fc.assert(
      fc.property(shownServers, wantedServers, (known, wanted) => {
        fc.pre(wanted.length > 0 && known.some(({ isOut }) => !isOut))
        const commands = serverCommands(known, wanted)
        for (let n = 0; n <= commands.length; n++) {
          const led = obey(known, commands.slice(0, n)).filter(({ isOut }) => !isOut)
          expect(led.length).toBeGreaterThan(0)
        }
      }),
    )
  })
})

test('its answers are read as they come, and nothing is made of any other', () => {
  const head = '# pxname,svname,qcur,qmax,scur,smax,slim,stot,status,weight,uweight,'
  const lines = 'out,10-0-0-1.four.entry:80,0,0,3,0,,0,no check,5,5,\nout,x:1,0,0,0,0,,0,MAINT,0,7,\n\n'
  expect(readServers(`${head}\n${lines}`)).toEqual([
    { name: '10-0-0-1.four.entry:80', isOut: false, weight: 5, open: 3 },
    { name: 'x:1', isOut: true, weight: 7, open: 0 },
  ])
  expect(readServers('Permission denied\n')).toBeNull()
  expect(pidIn('Name: HAProxy\nPid: 41\n')).toBe(41)
  expect(pidIn('Pid: x')).toBeNull()
  expect(isDone('add server out/a 10.0.0.1:1 weight 1', 'New server registered.\n\n')).toBe(true)
  expect(isDone('set server out/a state ready', '\n')).toBe(true)
  expect(isDone('set server out/a state ready', 'No such server.\n')).toBe(false)
})

test('shares are as large as it can have them, and nobody has none', () => {
  const at = (port: number, copies: number) => ({ address: '10.0.0.1', port, copies })
  expect(tcpServers([at(2, 3), { address: 'fe80::1', port: 1, copies: 1 }])).toEqual([
    { name: '10-0-0-1.four.entry:2', at: '10.0.0.1:2', weight: 3 },
    { name: 'fe80-0-0-0-0-0-0-1.six.entry:1', at: '[fe80::1]:1', weight: 1 },
  ])
  expect(tcpServers([at(1, 512), at(2, 1)]).map(({ weight }) => weight)).toEqual([256, 1])
})

test('a port is listened on once, at the address of HTTP', () => {
  const route = { tcp: 5432, port: null, weight: 100, drainMs: 1000 }
  const served: ServedTcp = {
    project: 'p',
    service: 'db',
    route,
    group: 'g.entry',
    canaryGroup: null,
    takenBy: null,
  }
  const listens = tcpListens([served, { ...served, group: 'h.entry', takenBy: 'p/db' }], '::1')
  expect(listens).toEqual([{ host: '::1', port: 5432, group: 'g.entry' }])
  const bind = (host: string, hasSix: boolean): string | undefined =>
    /bind (.*)/.exec(haproxyConfig({ host, port: 5432 }, [], { hasSix, threads: 1 }))?.[1]
  expect(bind('::1', true)).toBe('[::1]:5432 tcp-ut 120s')
  expect(bind('10.0.0.1', true)).toBe('10.0.0.1:5432 tcp-ut 120s')
  expect(bind('', true)).toBe(':::5432 v4v6 tcp-ut 120s')
  expect(bind('', false)).toBe('0.0.0.0:5432 tcp-ut 120s')
})
