// Files of records, where the program or the daemon ends in the middle.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { removeDir } from '../remove-dir.js'
import { useProgram } from './program.js'
import { type Answer, refuse, startDaemon } from './speaking-daemon.js'

const program = useProgram()

async function daemonWith(answers: Readonly<Record<string, Answer>>) {
  const daemon = await startDaemon(answers)
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-records-'))
  onTestFinished(async () => {
    removeDir(dir)
    await daemon.close()
  })
  return { endpoint: daemon.endpoint, file: join(dir, 'records.json') }
}

const key = 'schedules/default/none'
const record = { key, kind: 'schedule', unfit: 'damaged', problem: 'no JSON', revision: 7, value: 'x' }

test('a record that may be removed already is still in the file that it was written to', async () => {
  const { endpoint, file } = await daemonWith({
    'GET /v1/store/record': record,
    'POST /v1/store/remove': (_, response) => void response.socket?.destroy(),
  })
  const { code } = await program.run(['store', 'rm', key, '--to', file, '--endpoint', endpoint])
  expect(code).toBe(1)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([record])
})

test('a record whose removal is refused leaves no file', async () => {
  const { endpoint, file } = await daemonWith({
    'GET /v1/store/record': record,
    'POST /v1/store/remove': (_, response) =>
      refuse(response, 409, { code: 'store/readable', message: 'it can be read', details: [] }),
  })
  expect((await program.run(['store', 'rm', key, '--to', file, '--endpoint', endpoint])).code).toBe(1)
  expect(existsSync(file)).toBe(false)
})

test('an export that is killed has not taken the name of its file', async () => {
  let begun = (): void => {}
  const asked = new Promise<void>((resolve) => (begun = resolve))
  const { endpoint, file } = await daemonWith({
    'GET /v1/store/export': (_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      response.write(`${JSON.stringify({ mariposaExport: 1 })}\n`)
      begun()
    },
  })
  const exporting = program.start(['store', 'export', file, '--endpoint', endpoint])
  await asked
  exporting.signal('SIGKILL')
  await exporting.ended
  expect(existsSync(file)).toBe(false)
})
