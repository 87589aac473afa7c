// Where the hosts of the end-to-end tests run their containers: on a Docker of the tests' own.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Docker from 'dockerode'
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
    clear: async () => await removeVolumes(new Docker({ socketPath: socketPath() })),
  })
}

/** Volumes outlive their services, and would be another cluster's for the next host on the same Docker. */
async function removeVolumes(docker: Docker): Promise<void> {
  const { Volumes } = await docker.listVolumes({ filters: { label: ['io.mariposa.machine'] } })
  for (const { Name } of Volumes) await docker.getVolume(Name).remove().catch(keptByContainer)
}

function keptByContainer(error: unknown): void {
  if ((error as { readonly statusCode?: number }).statusCode !== 409) throw error
}
