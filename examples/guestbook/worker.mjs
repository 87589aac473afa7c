// Signs the guestbook every two seconds. With `--check`: exits with 0 if the worker beside it has been at work lately,
// whether or not the api was there to take its entry: a worker is not ill because somebody else is.
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { urlOf } from './find.mjs'

const { INSTANCE: instance, API: api } = process.env
const heartbeat = join(tmpdir(), `guestbook-${process.getuid()}-${instance}.heartbeat`)
const everyMs = 2000

if (process.argv.includes('--check')) check()
else await work()

function check() {
  const age = Date.now() - statSync(heartbeat).mtimeMs
  console.log(`last at work ${Math.round(age)} ms ago`)
  process.exit(age < 5 * everyMs ? 0 : 1)
}

async function work() {
  const ending = new AbortController()
  process.on('SIGTERM', () => ending.abort())
  console.log(`${instance} begins`)
  while (!ending.signal.aborted) {
    writeFileSync(heartbeat, '')
    await sign().catch((error) => console.log(`${instance} could not sign: ${error.message}`))
    await sleep(everyMs, undefined, { signal: ending.signal }).catch(() => {})
  }
  rmSync(heartbeat, { force: true })
  console.log(`${instance} ends`)
}

async function sign() {
  const response = await fetch(`${await urlOf(api)}/entries`, {
    method: 'POST',
    body: JSON.stringify({ by: instance, text: 'is at work' }),
    signal: AbortSignal.timeout(everyMs),
  })
  if (!response.ok) throw new Error(`the api answered ${response.status}`)
}
