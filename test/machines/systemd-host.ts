// One machine that real systemd runs, with systemd's private socket brought out of it, for tests that run on the host.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { insideEnv, insideMachine, startMachine } from './nspawn.js'

/** How to reach into a machine; plain data, so that it can be handed from the set-up to the tests. */
export interface MachineHandle {
  readonly name: string
  /** The process id of its systemd, as the host counts. */
  readonly leader: number
  /** Where its files are, seen from the host. */
  readonly root: string
  /** systemd's private socket, brought out of the machine: systemd refuses peers that it cannot see. */
  readonly socketPath: string
  /** Put before an argument vector, it runs inside the machine. */
  readonly enter: readonly string[]
}

export interface SystemdHost {
  readonly handle: MachineHandle
  /** Ends the machine as a loss of power would, and removes every trace of it. Idempotent. */
  readonly stop: () => Promise<void>
}

const relaySocket = '/run/private-relay'

/** Starts one machine on the host's network. */
export async function startSystemd({ limits = false } = {}): Promise<SystemdHost> {
  const machine = await startMachine({ name: 'alone', limits })
  try {
    const relay = await startRelay(machine.enter)
    const { name, leader, enter } = machine
    const root = `/proc/${leader}/root`
    return {
      handle: { name, leader, root, socketPath: root + relaySocket, enter },
      stop: async () => {
        relay.kill('SIGKILL')
        await machine.remove()
      },
    }
  } catch (error) {
    await machine.remove()
    throw error
  }
}

/** Passes connections on to systemd's private socket from inside the machine. Either end's close closes the other. */
const relayProgram = `
  const net = require('node:net')
  net.createServer({ allowHalfOpen: false }, (client) => {
    const systemd = net.connect('/run/systemd/private')
    client.pipe(systemd).pipe(client)
    for (const [one, other] of [[client, systemd], [systemd, client]]) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  }).listen('${relaySocket}', () => console.log('ready'))
`

async function startRelay(enter: readonly string[]): Promise<ChildProcess> {
  const [program = '', ...args] = [...enter, insideMachine.node, '--eval', relayProgram]
  const relay = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], env: insideEnv })
  const started = once(relay.stdout, 'data')
  const ended = once(relay, 'exit').then(() => Promise.reject(new Error('the relay to systemd ended')))
  await Promise.race([started, ended])
  ended.catch(() => {})
  relay.stdout.destroy()
  return relay
}
