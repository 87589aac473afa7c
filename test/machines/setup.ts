// Starts the real machines once for all files of the `machines` project. What cannot start fails the run.
import type {} from 'vitest'
import type { TestProject } from 'vitest/node'
import { startDocker } from './docker-host.js'
import { type MachineHandle, startSystemd } from './systemd-host.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The socket of a real Docker that holds `testImage`; ask with `inject('dockerSocket')`. */
    dockerSocket: string
    /** A machine that real systemd runs; ask with `inject('systemdMachine')`. */
    systemdMachine: MachineHandle
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const starting = await Promise.allSettled([startDocker(), startSystemd()])
  const started = starting.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((host) => host.stop()))
  }
  const [docker, systemd] = starting
  if (docker.status === 'rejected' || systemd.status === 'rejected') {
    await stop()
    throw new AggregateError(
      starting.flatMap((start) => (start.status === 'rejected' ? [start.reason as unknown] : [])),
      'the machines for the tests did not start',
    )
  }
  project.provide('dockerSocket', docker.value.socketPath)
  project.provide('systemdMachine', systemd.value.handle)
  return stop
}
