// What happens to a service with data while it writes: new versions, replacements, kills. After each it has to begin again
// with all that was committed.
import { expect } from 'vitest'
import type { RunningProgram } from '../../cli/program.js'
import type { Host } from '../../e2e/host.js'
import { watchWriters } from './sole-writer.js'

/** How often each fault is made: once where all tests run, and as often as `npm run databases` says. */
export const rounds = Number(process.env['DATABASE_ROUNDS'] ?? 1)

/** For all faults, with the machine busy. */
export const limitMs = 160_000 + rounds * 140_000

/** A service that writes, and who knows what it was told of. */
export interface Database {
  readonly service: string
  readonly scale: number
  /** Has the faults alone that end something, where each is made once: those of slots in a rollout are seen elsewhere. */
  readonly briefly: boolean
  /** `version` is anything that makes another one. */
  manifest(version: string): string
  /** The programs that write, by their words. */
  isWriter(words: readonly string[]): boolean
  /** The process ids of those that write now, as the host counts. */
  writers(): readonly number[]
  /** Begins to write, or to look at what is written, once the first version has begun. */
  begin(): Promise<void>
  /** Resolves once all of it has committed more, which it does when it has begun again. */
  more(): Promise<void>
  /** What is missing of that of which was told that it is committed. */
  missing(): Promise<readonly unknown[]>
  /** Ends what `begin` has begun; resolves to figures. */
  end(): Promise<{ readonly commits: number; readonly longestGapMs: number }>
}

type Fault = (writers: readonly number[]) => Promise<unknown>

/** Where a database runs. */
export interface Site {
  readonly name: string
  readonly host: Host
  /** The first lines of a manifest: the driver, or the image. */
  readonly kind: string
  /** The directory of a slot's volume, as the host of the tests sees it. */
  dataOf(service: string, slot: number): string
  /** What is to be done once the daemon has made its directory. */
  opened?(): void
  /** Faults that only this place can have, by name. */
  readonly faults: Readonly<Record<string, Fault>>
}

/** Makes every fault, in rounds, and says how much was committed meanwhile. */
export async function survivesFaults(site: Site, database: Database): Promise<void> {
  const { host } = site
  const { service } = database
  let daemon: RunningProgram = await host.startDaemon()
  site.opened?.()
  const endDaemon = async (): Promise<void> => {
    daemon.signal('SIGKILL')
    await daemon.ended
  }
  let version = 0
  const deploy = async (...how: readonly string[]): Promise<unknown> => {
    version += 1
    const file = host.file(`${service}.yml`, database.manifest(`v${version}`))
    return await host.done('service', 'deploy', file, '--scale', String(database.scale), ...how)
  }
  const orders: Readonly<Record<string, Fault>> = {
    'a replacement': () => host.done('service', 'reprovision', service),
    'a kill of the daemon in a rollout': async () => {
      await deploy('--detach')
      await endDaemon()
      daemon = await host.startDaemon()
    },
    'a deletion': async () => {
      await host.done('service', 'delete', service, '--force')
      await deploy()
    },
  }
  const faults: Readonly<Record<string, Fault>> = {
    'a rollout': () => deploy(),
    ...(database.briefly && rounds === 1 ? {} : orders),
    'a kill of a program': async ([pid]) => process.kill(pid ?? expect.fail('nobody writes'), 'SIGKILL'),
    'a kill of the daemon': async () => {
      await endDaemon()
      await database.more()
      daemon = await host.startDaemon()
    },
    ...site.faults,
  }
  await deploy()
  await database.begin()
  const from = performance.now()
  const watch = watchWriters((words) => database.isWriter(words))
  let figures = { commits: 0, longestGapMs: 0 }
  try {
    await database.more()
    for (let round = 0; round < rounds; round++) {
      for (const [name, happens] of Object.entries(faults)) {
        await happens(database.writers())
        await database.more()
        expect(await database.missing(), `committed before ${name}`).toEqual([])
      }
    }
  } finally {
    figures = await database.end()
  }
  const seconds = (performance.now() - from) / 1000
  const { together, looks } = await watch.end()
  expect(together).toEqual([])
  expect(looks).toBeGreaterThan(20)
  console.info(
    `${service}, ${site.name}: ${figures.commits} commits in ${Math.round(seconds)} s (${Math.round(figures.commits / seconds)}/s) through ${rounds * Object.keys(faults).length} faults; none for ${(figures.longestGapMs / 1000).toFixed(1)} s at the most; nobody beside another in ${looks} looks`,
  )
  await host.done('service', 'delete', service, '--force', '--volumes')
}
