// The built daemon, as a measurement needs it.
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { status } from './api.mjs'

const root = join(import.meta.dirname, '..')

/** Starts a daemon with one driver in a directory; resolves when it is ready. */
export async function startDaemon(home, driver, env) {
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

/** Waits for a daemon whose log is in `home` until it answers on its socket; throws with its log where it ends first. */
export async function ready(child, home, socket) {
  while ((await status(socket, '/readyz')) !== 200) {
    if (child.exitCode !== null) throw new Error(readFileSync(join(home, 'daemon.log'), 'utf8'))
    await sleep(50)
  }
  return {
    socket,
    pid: child.pid,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', resolve)
        child.kill('SIGTERM')
      }),
  }
}
