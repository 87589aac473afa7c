// SIGTERM ends the daemon soon, whatever became of the way to etcd. A supervisor that has to kill it leaves locks and
// leases behind.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { builtProgram, type RunningProgram, useProgram } from '../cli/program.js'
import { startEtcd } from '../machines/etcd-host.js'
import { type Network, openProxy } from '../machines/proxy.js'
import { removeDir } from '../remove-dir.js'

/** It is to take 5 s at most; the rest is for a busy host. */
const soonMs = 20_000

const program = useProgram()
const ending: (() => Promise<void> | void)[] = []
let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mariposa-stop-'))
  ending.push(() => removeDir(dir))
})
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

async function endsSoon(daemon: RunningProgram): Promise<void> {
  daemon.signal('SIGTERM')
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'still there'>((resolve) => {
    timer = setTimeout(() => resolve('still there'), soonMs)
  })
  const end = await Promise.race([daemon.ended.then(({ code }) => code), late])
  clearTimeout(timer)
  if (end === 'still there') {
    daemon.signal('SIGKILL')
    await daemon.ended
  }
  expect(end, daemon.saidSoFar()).toBe(0)
}

function startOn(endpoint: string): RunningProgram {
  const words = ['--data-dir', join(dir, 'data'), '--listen', `unix:${dir}/s`, '--driver', 'process']
  return program.start(['daemon', ...words, '--store', `etcd://${endpoint}`])
}

async function openEtcd(): Promise<Network> {
  const etcd = await startEtcd()
  ending.push(() => etcd.stop())
  const network = await openProxy(etcd.members[0]?.port ?? 0)
  ending.push(() => network.close())
  return network
}

describe('a daemon that waits for etcd ends on SIGTERM', () => {
  test('where its packets vanish', async () => {
    // A network of its own, in which what goes to etcd is dropped.
    const link = 'ip link set lo up && iptables --wait -A INPUT -p tcp --dport 2379 -j DROP && exec "$@"'
    const enter = ['unshare', '--fork', '--net', 'sh', '-c', link, 'sh']
    const file = join(import.meta.dirname, '../../dist/mariposa.js')
    const words = ['--data-dir', join(dir, 'data'), '--listen', `unix:${dir}/s`, '--driver', 'process']
    const daemon = builtProgram(file, () => enter).start([
      'daemon',
      ...words,
      '--store',
      'etcd://127.0.0.1,127.0.0.2,127.0.0.3',
    ])
    await daemon.said('waiting for')
    await endsSoon(daemon)
  })

  test('where its connections are refused', async () => {
    const network = await openEtcd()
    network.cut()
    const daemon = startOn(network.address)
    await daemon.said('waiting for')
    await endsSoon(daemon)
  })

  test('where its connections are taken and nothing is said', async () => {
    const network = await openEtcd()
    network.silence()
    const daemon = startOn(network.address)
    await daemon.said('waiting for')
    await endsSoon(daemon)
  })

  test.each(['cut', 'silence'] as const)('where it lost it in the middle of opening it: %s', async (how) => {
    const network = await openEtcd()
    const daemon = startOn(network.address)
    await daemon.said('etcd=')
    network[how]()
    await endsSoon(daemon)
  })

  test('where every answer takes 2 s', async () => {
    const network = await openEtcd()
    network.delay(1000)
    const daemon = startOn(network.address)
    await daemon.said('etcd=')
    await endsSoon(daemon)
  })
})

describe('a daemon that runs ends on SIGTERM', () => {
  /** Ready, with clients that change something all the time. */
  async function busy(network: Network): Promise<RunningProgram> {
    const daemon = startOn(network.address)
    await daemon.said('became leader')
    let over = false
    const end = (): void => {
      over = true
    }
    daemon.ended.then(end, end)
    const env = { MARIPOSA_ENDPOINT: `unix://${dir}/s` }
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; !over; n++) await program.run(['meta', 'set', `w${writer}`, String(n)], { env })
    }
    const { code, stderr } = await program.run(['meta', 'set', 'first', '1'], { env })
    expect(code, stderr).toBe(0)
    const writers = [1, 2].map(write)
    ending.push(async () => void (await Promise.all(writers)))
    return daemon
  }

  test.each(['cut', 'silence'] as const)('at the moment at which its store goes: %s', async (how) => {
    const network = await openEtcd()
    const daemon = await busy(network)
    network[how]()
    await endsSoon(daemon)
  })

  test.each(['cut', 'silence'] as const)('while its store is away: %s', async (how) => {
    const network = await openEtcd()
    const daemon = await busy(network)
    network[how]()
    await daemon.said('store unreachable')
    await endsSoon(daemon)
  })

  test('with changes on a slow way', async () => {
    const network = await openEtcd()
    const daemon = await busy(network)
    network.delay(1200)
    await endsSoon(daemon)
  })
})
