// How Docker itself is configured: how it keeps logs where a container's request does not say, and what becomes of its
// containers when it ends.
import { readFile } from 'node:fs/promises'
import type Docker from 'dockerode'
import { abortable } from '../../../lib/io/abortable.js'
import type { DockerLogging } from '../log-limits.js'

interface DockerConfiguration {
  readonly logging: DockerLogging
  /** Whether it lets its containers live on when it ends (`live-restore`). */
  readonly livesOn: boolean
}

const answersWithinMs = 10_000

export async function dockerConfiguration(docker: Docker): Promise<DockerConfiguration> {
  const told = abortable(docker.info(), AbortSignal.timeout(answersWithinMs))
  const { LoggingDriver = '', LiveRestoreEnabled = false } = (await told) as {
    readonly LoggingDriver?: string
    readonly LiveRestoreEnabled?: boolean
  }
  const config = await readFile('/etc/docker/daemon.json', 'utf8').catch(() => '{}')
  return {
    logging: { driver: LoggingDriver, hasOptions: config.includes('"log-opts"') },
    livesOn: LiveRestoreEnabled,
  }
}
