// Ctrl-C between a change that was sent and its answer.
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { removeDir } from '../remove-dir.js'
import { useProgram } from './program.js'

const program = useProgram()

test.each([
  ['change', ['service', 'stop', 'web'], 'queue list -j default'],
  ['change with --json', ['service', 'delete', 'web', '--force', '--json'], 'queue list -j default'],
])('a %s that nobody has answered yet says that it may have been made', async (_, words, look) => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-interrupted-'))
  const socket = join(dir, 'mariposa.sock')
  const server = createServer()
  server.listen(socket)
  await once(server, 'listening')
  try {
    const running = program.start(words, { env: { MARIPOSA_ENDPOINT: `unix://${socket}` } })
    await once(server, 'request')
    running.signal('SIGINT')
    const { code, stdout, stderr } = await running.ended
    expect(code).toBe(130)
    expect(stderr).toContain('interrupted before the daemon answered')
    expect(stderr).toContain(`the change may have been made`)
    expect(stderr).toContain(look)
    if (words.includes('--json'))
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'cli/interrupted' } })
  } finally {
    server.closeAllConnections()
    server.close()
    removeDir(dir)
  }
})
