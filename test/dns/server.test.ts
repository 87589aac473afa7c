// The server for names, over real sockets: its own names, those of others, and who may ask.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DecodedPacket, decode, encode, type Packet, RECURSION_DESIRED, streamEncode } from 'dns-packet'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { AnswerCache } from '../../src/dns/io/answer-cache.js'
import { Forwarder } from '../../src/dns/io/forward.js'
import { MessageReader } from '../../src/dns/io/frames.js'
import { openDoor } from '../../src/dns/io/listener.js'
import { OurNetworks } from '../../src/dns/io/networks.js'
import { respond } from '../../src/dns/io/respond.js'
import { type DnsOptions, type DnsServer, startDnsServer } from '../../src/dns/io/server.js'
import { readQuery } from '../../src/dns/io/wire.js'
import { type DnsAddress, fromContainers, resolversIn, searchIn } from '../../src/dns/resolv-conf.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { lineLog } from '../../src/lib/io/log.js'
import type { Time } from '../../src/lib/time.js'
import { defaultCnsSuffixes } from '../../src/manifest/cns.js'
import { freePort } from '../free-port.js'
import { removeDir } from '../remove-dir.js'
import { NamedWorld, privateName } from './asked.js'

const web = 'compute_type: process\ncommand: [/bin/web]\nports: ["0:8080"]\nmemory: 16M\n'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** Twenty instances, each on a machine of its own. */
function twenty(): NamedWorld {
  const world = new NamedWorld()
  for (let n = 1; n <= 20; n++) world.machine(`m${n}`, { outside: `10.0.0.${n}`, memoryMb: 16 })
  world.deploy(`${web}healthchecks: [{type: http, port: 8080, path: /}]\n`, { scale: 20 })
  world.settle()
  return world
}

function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length
}

interface Started {
  readonly server: DnsServer
  readonly address: DnsAddress
  readonly lines: string[]
}

async function start(
  world: NamedWorld,
  options: Partial<DnsOptions> = {},
  resolvConf = '/nowhere',
  isComplete = () => true,
): Promise<Started> {
  const lines: string[] = []
  const asked: DnsOptions = {
    addresses: [{ host: '127.0.0.1', port: 0 }],
    isAsked: true,
    upstream: [],
    allow: [],
    ...options,
  }
  const server = await startDnsServer(asked, {
    ...{ names: world.names, suffixes: defaultCnsSuffixes, resolvConf, random: () => 0 },
    isComplete,
    clock: { ...systemClock, now: () => world.now },
    log: lineLog((line) => lines.push(line)),
  })
  undo.push(() => server.close())
  return { server, address: server.endpoints()[0] ?? { host: '', port: 0 }, lines }
}

function question(name: string, type: string, more: Partial<Packet> = {}): Buffer {
  const questions = [{ name, type: type as 'A', class: 'IN' as const }]
  return encode({ type: 'query', id: 7, flags: RECURSION_DESIRED, questions, ...more })
}

function edns(udpPayloadSize: number, ednsVersion = 0): Partial<Packet> {
  const options = { type: 'OPT', name: '.', udpPayloadSize, ednsVersion, extendedRcode: 0, flags: 0 } as const
  return { additionals: [{ ...options, flag_do: false, options: [] }] }
}

async function overUdp({ host, port }: DnsAddress, packet: Buffer): Promise<Buffer> {
  const socket = createSocket('udp4')
  try {
    socket.send(packet, port, host)
    const [answer] = (await once(socket, 'message')) as [Buffer]
    return answer
  } finally {
    socket.close()
  }
}

/** The answers to packets that are sent in one go. */
async function overTcp(
  { host, port }: DnsAddress,
  ...packets: readonly Buffer[]
): Promise<readonly Buffer[]> {
  const socket = connect(port, host)
  const reader = new MessageReader()
  const answers: Buffer[] = []
  socket.write(
    Buffer.concat(packets.map((packet) => Buffer.concat([Buffer.from([0, packet.length]), packet]))),
  )
  try {
    while (answers.length < packets.length) {
      const [chunk] = (await once(socket, 'data')) as [Buffer]
      answers.push(...reader.read(chunk))
    }
    return answers
  } finally {
    socket.destroy()
  }
}

/** The code of an answer, with the part of it that stands in the options. */
function codeOf({ flags = 0, additionals = [] }: DecodedPacket): number {
  const options = additionals.find((one) => one.type === 'OPT')
  return (flags & 0xf) + ((options?.extendedRcode ?? 0) << 4)
}

test('an answer over UDP is as long as the asker takes, and says that TCP has more', async () => {
  const world = twenty()
  const { address } = await start(world)
  const name = privateName('web.svc')
  const sizes = [
    [await overUdp(address, question(name, 'A')), 512],
    [await overUdp(address, question(name, 'A', edns(700))), 700],
    [await overUdp(address, question(name, 'SRV', edns(4096))), 1232],
  ] as const
  for (const [packet, size] of sizes) {
    const answer = decode(packet)
    expect(packet.length).toBeLessThanOrEqual(size)
    expect(packet.length).toBeGreaterThan(size - 110)
    expect([answer.flag_tc, answer.flag_aa, answer.flag_ra]).toEqual([true, true, true])
  }
  const [whole] = await overTcp(address, question(name, 'A'))
  const answer = decode(whole as Buffer)
  expect(answer.flag_tc).toBe(false)
  expect(answer.answers).toHaveLength(world.serving('web').length)
})

test('while not all instances are known, no name is said to be unknown or empty', async () => {
  const world = twenty()
  let isComplete = false
  const { address } = await start(world, {}, '/nowhere', () => isComplete)
  const ask = async (name: string, type = 'A') => {
    const answer = decode(await overUdp(address, question(name, type)))
    return [codeOf(answer), (answer.answers ?? []).length > 0]
  }
  const [known, unknown] = [privateName('web.svc'), privateName('api.svc')]
  expect(await ask(unknown)).toEqual([2, false])
  expect(await ask(known, 'AAAA')).toEqual([2, false])
  expect(await ask(known)).toEqual([0, true])
  isComplete = true
  expect(await ask(unknown)).toEqual([3, false])
  expect(await ask(known, 'AAAA')).toEqual([0, false])
})

test('a question comes back byte for byte as it was asked', async () => {
  const { address } = await start(twenty())
  const asked = question('wEb.sVc.Default.CNS.Mariposa.Internal', 'A')
  const answer = await overUdp(address, asked)
  expect(answer.subarray(12, asked.length)).toEqual(asked.subarray(12))
  expect(decode(answer).answers?.[0]?.name).toBe('wEb.sVc.Default.CNS.Mariposa.Internal')
})

test('many questions on one connection are answered, whatever their order', async () => {
  const { address } = await start(twenty())
  const asked = Array.from({ length: 200 }, (_, id) => question(privateName('nope.svc'), 'A', { id }))
  const answers = (await overTcp(address, ...asked)).map((packet) => decode(packet))
  expect(new Set(answers.map(({ id }) => id)).size).toBe(200)
  expect(new Set(answers.map((one) => codeOf(one)))).toEqual(new Set([3]))
  expect(answers[0]?.authorities?.map(({ type }) => type)).toEqual(['SOA'])
})

test('what we do not do is said', async () => {
  const { address } = await start(twenty())
  const name = privateName('web.svc')
  const code = async (packet: Buffer): Promise<number> => codeOf(decode(await overUdp(address, packet)))
  const chaos = encode({ id: 1, questions: [{ name: 'version.bind', type: 'TXT', class: 'CH' }] })
  expect(await code(chaos)).toBe(5)
  expect(await code(question(name, 'AXFR'))).toBe(5)
  expect(await code(question(name, 'A', edns(1232, 1)))).toBe(16)
  expect(await code(question(name, 'A', { flags: 4 << 11 }))).toBe(4)
  expect(await code(encode({ id: 1, questions: [] }))).toBe(1)
  expect(await code(question(name, 'A').subarray(0, 20))).toBe(1)
  expect(await code(question(name, 'HTTPS'))).toBe(0)
})

test('options that are given twice, or are cut off, are no query', async () => {
  const { address } = await start(twenty())
  const name = privateName('web.svc')
  const code = async (packet: Buffer): Promise<number> => codeOf(decode(await overUdp(address, packet)))
  const { additionals = [] } = edns(1232)
  expect(await code(question(name, 'A', { additionals: [...additionals, ...additionals] }))).toBe(1)
  /** Options of these bytes, behind a record of another type. */
  const withOptions = (bytes: readonly number[]): Promise<number> => {
    const other = { type: 'TXT', name: 'x', data: 'y' } as const
    const packet = question(name, 'A', { additionals: [other, ...additionals] })
    packet.writeUInt16BE(bytes.length, packet.length - 2)
    return code(Buffer.concat([packet, Buffer.from(bytes)]))
  }
  const cookie = [0, 10, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8]
  expect(await withOptions(cookie)).toBe(0)
  expect(await withOptions(cookie.with(3, 9))).toBe(1)
  expect(await withOptions(cookie.with(3, 7))).toBe(1)
  expect(await withOptions([0, 10, 0])).toBe(1)
})

test('a stranger is refused everything', async () => {
  const world = twenty()
  const respondTo = (from: string, allow: readonly { address: string; bits: number }[] = []) => {
    const networks = new OurNetworks(allow, systemClock)
    const parts = { names: world.names, suffixes: defaultCnsSuffixes, networks, clock: systemClock }
    const forwarder = new Forwarder(() => [], systemClock)
    return respond(
      { ...parts, forwarder, answers: new AnswerCache(), random: () => 0, isComplete: () => true },
      question(privateName('web.svc'), 'A'),
      from,
      'udp',
    ) as Buffer
  }
  for (const stranger of ['203.0.113.5', '2001:db8::5', '8.8.8.8'])
    expect(codeOf(decode(respondTo(stranger))), stranger).toBe(5)
  for (const own of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
    expect(codeOf(decode(respondTo(own))), own).toBe(0)
  expect(codeOf(decode(respondTo('203.0.113.5', [{ address: '203.0.113.0', bits: 24 }])))).toBe(0)
})

test('nothing that comes ends the server or goes without an end', async () => {
  const world = twenty()
  const networks = new OurNetworks([], systemClock)
  const forwarder = new Forwarder(() => [], systemClock)
  const parts = { names: world.names, suffixes: defaultCnsSuffixes, networks, clock: systemClock }
  const valid = question(privateName('web.svc'), 'SRV', edns(1232))
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc
          .array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
          .map((list) => {
            const packet = Uint8Array.from(valid)
            for (const [at, byte] of list) packet[at] = byte
            return packet
          }),
      ),
      fc.constantFrom('udp' as const, 'tcp' as const),
      async (bytes, transport) => {
        const packet = Buffer.from(bytes)
        const answer = await respond(
          { ...parts, forwarder, answers: new AnswerCache(), random: () => 0, isComplete: () => true },
          packet,
          '127.0.0.1',
          transport,
        )
        if (answer === null) return
        expect(answer.subarray(0, 2)).toEqual(packet.subarray(0, 2))
        expect(answer.length).toBeLessThanOrEqual(transport === 'udp' ? 1232 : 65_535)
      },
    ),
    { numRuns: 2000 },
  )
})

/** A resolver that answers each question as it is told. */
async function resolver(answerOf: (asked: DecodedPacket, packet: Buffer) => readonly Buffer[]): Promise<{
  readonly address: DnsAddress
  readonly heard: DecodedPacket[]
}> {
  const heard: DecodedPacket[] = []
  const udp: Socket = createSocket('udp4')
  const port = await freePort()
  udp.bind(port, '127.0.0.1')
  await once(udp, 'listening')
  const answers = (packet: Buffer): readonly Buffer[] => {
    const asked = decode(packet)
    heard.push(asked)
    return answerOf(asked, packet)
  }
  udp.on('message', (packet, from) => {
    for (const answer of answers(packet)) udp.send(answer, from.port, from.address)
  })
  const tcp = createServer((socket) => {
    const reader = new MessageReader()
    socket.on('data', (chunk) => {
      for (const packet of reader.read(chunk))
        for (const answer of answers(packet)) socket.write(streamEncode(decode(answer)))
    })
  })
  tcp.listen(port, '127.0.0.1')
  await once(tcp, 'listening')
  undo.push(() => {
    udp.close()
    tcp.close()
  })
  return { address: { host: '127.0.0.1', port }, heard }
}

function addressOf(asked: DecodedPacket, data: string): Buffer {
  const name = asked.questions?.[0]?.name ?? ''
  return encode({
    type: 'response',
    id: asked.id ?? 0,
    flags: RECURSION_DESIRED,
    questions: asked.questions ?? [],
    answers: [{ type: 'A', name, ttl: 60, data }],
  })
}

test('other names are asked of the resolvers, and only their answers are believed', async () => {
  const silent = await resolver(() => [])
  const good = await resolver((asked) => {
    const wrongId = addressOf({ ...asked, id: ((asked.id ?? 0) + 1) % 65_536 }, '6.6.6.6')
    const other = [{ name: 'evil.example', type: 'A' as const }]
    return [wrongId, addressOf({ ...asked, questions: other }, '6.6.6.6'), addressOf(asked, '1.2.3.4')]
  })
  const { address } = await start(twenty(), { upstream: [silent.address, good.address] })
  const asked = question('Example.ORG', 'A')
  for (const packet of [await overUdp(address, asked), ...(await overTcp(address, asked))]) {
    const answer = decode(packet)
    expect(answer.id).toBe(7)
    expect(answer.answers).toMatchObject([{ name: 'Example.ORG', data: '1.2.3.4' }])
  }
  expect(silent.heard).toHaveLength(2)
  expect(good.heard.map(({ questions }) => questions?.[0]?.name)).toEqual(['Example.ORG', 'Example.ORG'])
  expect(good.heard.every(({ questions }) => !questions?.[0]?.name.endsWith('internal'))).toBe(true)
})

test('where no resolver answers, or there is none but us, that is said', async () => {
  const { address } = await start(twenty())
  expect(codeOf(decode(await overUdp(address, question('example.org', 'A'))))).toBe(2)
})

test('the resolvers of the host are read as they are now, and we are none of them', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-dns-'))
  undo.push(() => removeDir(dir))
  const file = join(dir, 'resolv.conf')
  writeFileSync(
    file,
    'search example.org\nnameserver 10.9.8.7\nnameserver fe80::1%eth0\n# nameserver 1.1.1.1\n',
  )
  const { server } = await start(twenty(), { upstream: null }, file)
  expect(server.upstream()).toEqual([
    { host: '10.9.8.7', port: 53 },
    { host: 'fe80::1%eth0', port: 53 },
  ])
  const self = await start(twenty(), { upstream: [{ host: '127.0.0.1', port: 1 }] })
  expect(self.server.upstream()).toHaveLength(1)
  const ours = { host: '127.0.0.1', port: await freePort() }
  const circle = await start(twenty(), { addresses: [ours], upstream: [ours] })
  expect(circle.server.upstream()).toEqual([])
})

test('a port that becomes free is answered on', async () => {
  const world = twenty()
  const holder = createSocket('udp4')
  holder.bind(await freePort(), '127.0.0.1')
  await once(holder, 'listening')
  const taken = { host: '127.0.0.1', port: holder.address().port }
  let again = (): void => {}
  let tell = (): void => {}
  const told = new Promise<void>((resolve) => {
    tell = resolve
  })
  const options = { addresses: [taken], isAsked: false, upstream: [], allow: [] }
  const server = await startDnsServer(options, {
    ...{ names: world.names, suffixes: defaultCnsSuffixes, resolvConf: '/nowhere', random: () => 0 },
    isComplete: () => true,
    clock: {
      ...systemClock,
      now: () => world.now,
      after: (_ms, run) => {
        again = run
        return systemClock.after(600_000, () => {}).unref()
      },
    },
    log: lineLog((line) => line.includes('listening again') && tell()),
  })
  undo.push(() => server.close())
  expect(server.endpoints()).toEqual([])
  await new Promise<void>((resolve) => holder.close(resolve))
  again()
  await told
  expect(server.endpoints()).toEqual([taken])
  expect(codeOf(decode(await overUdp(taken, question(privateName('web.svc'), 'A'))))).toBe(0)
})

test('an address that cannot be had keeps no descriptor, however often it is tried', async () => {
  const holder = createSocket('udp4')
  undo.push(() => new Promise<void>((resolve) => holder.close(resolve)))
  holder.bind(await freePort(), '127.0.0.1')
  await once(holder, 'listening')
  const taken = { host: '127.0.0.1', port: holder.address().port }
  const before = openDescriptors()
  for (let tries = 0; tries < 20; tries++)
    await expect(openDoor(taken, () => null)).rejects.toThrow('EADDRINUSE')
  expect(openDescriptors() - before).toBeLessThan(10)
})

test('what is with a resolver when the server ends is left', async () => {
  const silent = await resolver(() => [])
  const forwarder = new Forwarder(() => [silent.address], systemClock)
  const packet = question('example.org', 'A')
  const asked = readQuery(packet)
  if (asked === null || asked === 'unreadable') throw new Error('it is a question')
  const answers = Promise.all([forwarder.ask(asked, 'udp'), forwarder.ask(asked, 'tcp')])
  forwarder.close()
  expect(await answers).toEqual([null, null])
})

test('how long a resolver is waited for is by the clock of the daemon', async () => {
  const silent = await resolver(() => [])
  const waits: number[] = []
  const after: Time['after'] = (ms, run) => {
    waits.push(ms)
    return systemClock.after(0, run)
  }
  const forwarder = new Forwarder(() => [silent.address], { after })
  const asked = readQuery(question('example.org', 'A'))
  if (asked === null || asked === 'unreadable') throw new Error('it is a question')
  expect(await forwarder.ask(asked, 'udp')).toBeNull()
  expect(waits).toEqual([1500, 1500, 1500])
})

test('a port that is taken is told of with who holds it, or quietly where nobody asked for it', async () => {
  const holder = createSocket('udp4')
  holder.bind(await freePort(), '127.0.0.1')
  await once(holder, 'listening')
  undo.push(() => holder.close())
  const taken = { host: '127.0.0.1', port: holder.address().port }
  const addresses = [taken, { host: '127.0.0.1', port: 0 }]
  const loud = await start(twenty(), { addresses })
  expect(loud.server.endpoints()).toHaveLength(1)
  expect(loud.lines).toHaveLength(1)
  expect(loud.lines[0]).toMatch(
    / warn dns: cannot listen on 127\.0\.0\.1:\d+: .+ holds it; retrying every 10 s/,
  )
  expect(loud.lines[0]).toContain(`(pid ${process.pid})`)
  const quiet = await start(twenty(), { addresses, isAsked: false })
  expect(quiet.lines).toHaveLength(1)
  expect(quiet.lines[0]).toMatch(/ info dns: not listening on 127\.0\.0\.1:\d+: address in use/)
})

describe('the gateway of a network of containers', () => {
  const network = { address: '127.0.0.0', bits: 8 }

  test('is answered on from when a container is made there, once', async () => {
    const { server } = await start(twenty(), { isAsked: false })
    const port = await freePort()
    const gateway = { host: '127.0.0.3', port }
    expect(await Promise.all([server.serve(gateway, network), server.serve(gateway, network)])).toEqual([
      true,
      true,
    ])
    expect(server.endpoints()).toContainEqual(gateway)
    const answer = decode(await overUdp(gateway, question(privateName('web.svc'), 'A')))
    expect(answer.answers).not.toEqual([])
  })

  test('that is taken is told with who holds it, and the rest goes on', async () => {
    const { server, address, lines } = await start(twenty(), { isAsked: false })
    const holder = createServer().listen(0, '127.0.0.3')
    undo.push(() => holder.close())
    await once(holder, 'listening')
    const { port } = holder.address() as AddressInfo
    expect(await server.serve({ host: '127.0.0.3', port }, network)).toBe(false)
    expect(lines.join('\n')).toMatch(/cannot listen on 127\.0\.0\.3:\d+: .*holds it/)
    const answer = decode(await overUdp(address, question(privateName('web.svc'), 'A')))
    expect(answer.answers).not.toEqual([])
  })

  test('is left alone where addresses were asked for', async () => {
    const { server, address } = await start(twenty())
    expect(await server.serve({ host: '127.0.0.3', port: address.port }, network)).toBe(false)
    expect(await server.serve(address, network)).toBe(true)
    expect(server.endpoints()).toEqual([address])
  })
})

test('containers are told of resolvers that they reach', () => {
  const text = 'nameserver 127.0.0.53\nnameserver 192.0.2.1\nnameserver fe80::1%eth0\n'
  expect(fromContainers(resolversIn(text))).toEqual(['192.0.2.1'])
  expect(searchIn('domain a.example\nsearch b.example c.example .\n')).toEqual(['b.example', 'c.example'])
  expect(searchIn('')).toEqual([])
})
