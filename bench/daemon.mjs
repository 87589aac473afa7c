// The built daemon, as a measurement needs it.
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { status } from './api.mjs'

const ownRoot = join(import.meta.dirname, '..')

/** Starts a daemon with one driver in a directory, of this program or of the one at another `root`; resolves when it is ready. */
export async function startDaemon(home, driver, env, root = ownRoot) {
  const socket = join(home, 'mariposa.sock')
  const log = openSync(join(home, 'daemon.log'), 'a')
  const args = ['daemon', '--data-dir', join(home, 'data'), '--listen', `unix:${socket}`, '--driver', driver]
  const child = spawn(process.execPath, [join(root, 'dist/mariposa.js'), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  return ready(child, home, socket)
}

/**
 * A process driver's daemon under a machine id of its own, of one letter, of this program or of the one at another `root`, with `env`
 * besides; resolves when it is ready. As root. BENCH_PROFILE names a directory for a profile of it.
 */
export async function startDaemonAs(home, letter, options, root = ownRoot, env = {}) {
  mkdirSync(home, { recursive: true })
  const [socket, id] = [join(home, 'mariposa.sock'), join(home, 'id')]
  writeFileSync(id, `${letter.repeat(32)}\n`)
  const log = openSync(join(home, 'daemon.log'), 'a')
  const where = ['--data-dir', join(home, 'data'), '--listen', `unix:${socket}`, '--driver', 'process']
  const profile = process.env.BENCH_PROFILE
  const profiled = profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profile]
  const words = [
    process.execPath,
    ...profiled,
    join(root, 'dist/mariposa.js'),
    'daemon',
    ...where,
    ...options,
  ]
  const script = 'mount --bind "$0" /etc/machine-id && exec "$@"'
  const child = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script, id, ...words], {
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  return ready(child, home, socket)
}

/** Waits for a daemon whose log is in `home` until it answers on its socket; throws with its log where it ends first. */
export async function ready(child, home, socket) {
  while ((await status(socket, '/readyz')) !== 200) {
    if (hasEnded(child))
      throw new Error(
        `ended with ${child.signalCode ?? child.exitCode}: ${readFileSync(join(home, 'daemon.log'), 'utf8')}`,
      )
    await sleep(50)
  }
  return {
    socket,
    pid: child.pid,
    stop: () =>
      new Promise((resolve) => {
        if (hasEnded(child)) return resolve()
        child.once('exit', resolve)
        child.kill('SIGTERM')
      }),
  }
}

/** Of what was killed there is a signal, and no code. */
function hasEnded({ exitCode, signalCode }) {
  return exitCode !== null || signalCode !== null
}
