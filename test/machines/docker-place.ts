// Where the hosts of the end-to-end tests run their containers: on a Docker of the tests' own.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Place } from '../e2e/host.js'

/** For `hostsOf`: daemons on the Docker at a socket, with directories that bear a name. */
export function onDocker(name: string, socketPath: () => string): () => Place {
  return () => ({
    driver: 'docker',
    env: { DOCKER_HOST: `unix://${socketPath()}` },
    makeDir: () => {
      const dir = mkdtempSync(join(tmpdir(), `mariposa-${name}-`))
      return { inside: dir, outside: dir }
    },
  })
}
