// Starts the real machines once for all files of the `machines` project. What cannot start fails the run.
import type { TestProject } from 'vitest/node'
import { startDocker } from './docker-host.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The socket of a real Docker that holds `testImage`; ask with `inject('dockerSocket')`. */
    dockerSocket: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const docker = await startDocker()
  project.provide('dockerSocket', docker.socketPath)
  return async () => await docker.stop()
}
