// What becomes of requests to a Docker that breaks off.
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asDriverError, connectDocker } from '../../../src/drivers/docker/io/connection.js'
import { systemClock } from '../../../src/lib/io/clock.js'
import { silentLog } from '../../../src/lib/io/log.js'
import { removeDir } from '../../remove-dir.js'

test('a request of which the answer is cut off in the middle fails', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-connection-'))
  const socketPath = join(dir, 'docker.sock')
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/version')) return response.end('{"ApiVersion":"1.41"}')
    response.writeHead(200, { 'content-length': '1000' })
    response.write('[{', () => response.socket?.destroy())
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  const { docker, close } = await connectDocker({ socketPath, clock: systemClock, log: silentLog })
  const error = await docker.listContainers().catch((thrown: unknown) => asDriverError(thrown, 'not asked'))
  expect(error).toMatchObject({ code: 'docker/unreachable', message: 'not asked' })
  close()
  server.close()
  removeDir(dir)
})
