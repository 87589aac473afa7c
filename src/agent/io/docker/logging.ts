// How Docker itself keeps logs, where a container's request does not say.
import { readFile } from 'node:fs/promises'
import type Docker from 'dockerode'
import type { DockerLogging } from '../../docker/log-limits.js'

export async function dockerLogging(docker: Docker): Promise<DockerLogging> {
  const { LoggingDriver = '' } = (await docker.info()) as { readonly LoggingDriver?: string }
  const config = await readFile('/etc/docker/daemon.json', 'utf8').catch(() => '{}')
  return { driver: LoggingDriver, hasOptions: config.includes('"log-opts"') }
}
