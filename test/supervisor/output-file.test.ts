// Files that units name for their output are opened with what the unit's user may, whoever the supervisor is.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { hasEnded, untilObserved } from '../drivers/driver-contract.js'
import { openProcessHost, type ProcessHost, serviceUnit } from '../drivers/process/process-host.js'

const signal = AbortSignal.timeout(600_000)
const isRoot = process.getuid?.() === 0
/** As whom the units run: nobody of this machine's own where we may choose. */
const uid = isRoot ? 65_534 : (process.getuid?.() ?? 0)
const user = isRoot ? [['User', String(uid)] as const] : []

let host: ProcessHost
beforeEach(async () => {
  host = await openProcessHost({ idleExitMs: 200 })
  chmodSync(host.dir, 0o711)
})
afterEach(() => host.dispose())

/** A directory that the units may write to. */
function makeOwn(): string {
  const own = join(host.dir, 'own')
  mkdirSync(own)
  chownSync(own, uid, process.getgid?.() ?? 0)
  return own
}

async function run(
  name: string,
  output: string,
  ...more: readonly (readonly [string, string])[]
): Promise<void> {
  const unit = serviceUnit(
    name,
    ['ExecStart', '/bin/echo out'],
    ['StandardOutput', output],
    ...(more.length > 0 ? more : user),
  )
  await host.driver.load(unit, signal)
  await host.driver.start(unit.name, signal)
  await untilObserved(host.driver, unit.name, hasEnded, signal)
}

it('makes, appends to and truncates files where the user may', async () => {
  const file = join(makeOwn(), 'log')
  await run('first', `append:${file}`)
  await run('second', `append:${file}`)
  expect(readFileSync(file, 'utf8')).toBe('out\nout\n')
  expect(statSync(file)).toMatchObject({ uid, mode: 0o100600 })
  await run('third', `truncate:${file}`)
  expect(readFileSync(file, 'utf8')).toBe('out\n')
  await run('fourth', 'append:/dev/null')
})

it('waits for no reader of a FIFO', async () => {
  const fifo = join(makeOwn(), 'fifo')
  execFileSync('mkfifo', ['-m', '666', fifo])
  const unit = serviceUnit('pipe', ['ExecStart', '/bin/sh -c "echo hello; exec sleep 1000"'], ...user, [
    'StandardOutput',
    `append:${fifo}`,
  ])
  await host.driver.load(unit, signal)
  await host.driver.start(unit.name, signal)
  const reader = createReadStream(fifo)
  const [text] = (await once(reader, 'data')) as [Buffer]
  expect(text.toString()).toBe('hello\n')
  await host.driver.stop(unit.name, signal)
  reader.destroy()
})

it('refuses files that the user may not make or write to, also by a link, and leaves them as they are', async () => {
  const own = makeOwn()
  const closed = join(host.dir, 'closed')
  mkdirSync(closed)
  const kept = join(closed, 'kept')
  writeFileSync(kept, 'kept\n')
  chmodSync(kept, isRoot ? 0o644 : 0o444)
  symlinkSync(kept, join(own, 'link'))
  symlinkSync(join(closed, 'new'), join(own, 'dangling'))
  if (!isRoot) chmodSync(closed, 0o555)
  const outputs = [`append:${kept}`, `truncate:${kept}`, `append:${closed}/new`]
  const byLink = [`truncate:${own}/link`, `append:${own}/dangling`, `append:${own}`]
  for (const [index, output] of [...outputs, ...byLink].entries())
    await expect(run(`no${index}`, output), output).rejects.toMatchObject({ code: 'process/bad-output' })
  expect(readFileSync(kept, 'utf8')).toBe('kept\n')
  expect(existsSync(join(closed, 'new'))).toBe(false)
  chmodSync(closed, 0o755)
})

it('counts the groups of the unit', async () => {
  const file = join(host.dir, 'shared')
  writeFileSync(file, '')
  const gid = isRoot ? 65_533 : (process.getgid?.() ?? 0)
  chownSync(file, process.getuid?.() ?? 0, gid)
  chmodSync(file, 0o664)
  const ids = isRoot ? [...user, ['Group', String(gid)] as const] : []
  await run('grouped', `append:${file}`, ...ids)
  expect(readFileSync(file, 'utf8')).toBe('out\n')
})
