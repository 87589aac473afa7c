// `mariposa store migrate`: the records of a single machine move to etcd, and back as they were; what runs goes on running.
import { readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { CommandError, exitCodes, usageError } from '../cli/command-error.js'
import { printJson, type Shell } from '../cli/io/shell.js'
import { systemClock } from '../lib/io/clock.js'
import { openEmbeddedStore } from '../store/io/embedded.js'
import { parseFileName } from '../store/io/files.js'
import { localCopyIn } from '../store/io/local-copy.js'
import {
  type Migrated,
  migrateStore,
  nothingToMove,
  type Undone,
  undoMigration,
} from '../store/io/migrate.js'
import { isOutOfReach, type Store, StoreError } from '../store/store.js'
import type { DaemonOptions } from './options.js'
import { etcdOptionsOf, storeDirOf } from './store.js'
import { describeStore, type EtcdSettings, isAt } from './store-options.js'

/** Moves the embedded store in the data directory to the etcd that the options name. Throws CommandError. */
export async function migrate(shell: Shell, { dataDir, store }: DaemonOptions): Promise<number> {
  if (store.kind === 'embedded') throw usageError('the target is missing', 'give --to etcd://HOST:PORT,…')
  const [from, to] = [storeDirOf(dataDir), describeStore(store)]
  const moved = await withStores(from, store, (source, target) =>
    migrateStore(source, target, { to, onProgress: showProgress(shell, to), signal: shell.signal }),
  ).catch((error: unknown) => {
    throw shell.signal.aborted ? interrupted() : migrateError(error)
  })
  if (shell.globals.json) printJson(shell, { from, to, ...moved })
  else if (!shell.globals.quiet) shell.terminal.out(describe(moved, to))
  return exitCodes.done
}

/** Takes a move back: the embedded store is used again as it was, and the etcd that the options name no more. Throws CommandError. */
export async function undoMigrate(
  shell: Shell,
  { dataDir, store }: DaemonOptions,
  discard: boolean,
): Promise<number> {
  if (store.kind === 'embedded')
    throw usageError('the store that the records were moved to is missing', 'give --to etcd://HOST:PORT,…')
  const [to, from] = [storeDirOf(dataDir), describeStore(store)]
  const back = `to ${dataDir} on ${hostname()}`
  const undone = await withStores(to, store, (source, target) =>
    undoMigration(source, target, {
      ...{ back, discard },
      isTarget: (moved) => isAt(moved, store),
      // A later start without etcd would run what was placed here before.
      forget: () => rm(localCopyIn(dataDir), { force: true }),
    }),
  ).catch((error: unknown) => {
    throw migrateError(error)
  })
  if (shell.globals.json) printJson(shell, { from, to, ...undone })
  else if (!shell.globals.quiet) shell.terminal.out(describeUndone(undone, from))
  return exitCodes.done
}

function describeUndone({ records, given }: Undone, from: string): string {
  const lost = given === 0 ? '' : `, without ${given} changes since`
  return `the ${records} records from before the move to ${from} are in use again${lost}\nstart the daemon with --store embedded\n`
}

async function withStores<Done>(
  from: string,
  settings: EtcdSettings,
  use: (source: Store, target: Store) => Promise<Done>,
): Promise<Done> {
  // Opening would make a store where there is none.
  const names = await readdir(from).catch((): string[] => [])
  if (!names.some((name) => parseFileName(name) !== null)) throw nothingToMove()
  const { openEtcdStore, probeEtcd } = await import('../store/io/etcd/etcd.js')
  const options = await etcdOptionsOf(settings)
  await probeEtcd(options)
  const source = await openEmbeddedStore({ dir: from, clock: systemClock })
  const target = openEtcdStore(options)
  try {
    return await use(source, target)
  } finally {
    await target.close()
    await source.close()
  }
}

/** A line that is redrawn on a terminal; elsewhere one when it begins. */
function showProgress({ globals, terminal }: Shell, to: string): (done: number, total: number) => void {
  if (globals.quiet || globals.json) return () => {}
  const block = terminal.liveBlock('stderr')
  let told = false
  return (done, total) => {
    if (block !== null) block.draw(done === total ? [] : [`${done} of ${total} records`])
    else if (!told) terminal.err(`moving ${total} records to ${to}\n`)
    told = true
  }
}

function describe({ records, bytes, resumed }: Migrated, to: string): string {
  const again = resumed ? ', continuing an earlier attempt' : ''
  return [
    `moved ${records} records (${Math.ceil(bytes / 1024)} KiB) to ${to}${again}, and read them back`,
    `start the daemon with --store ${to}\n`,
  ].join('\n')
}

function interrupted(): CommandError {
  const message = 'the move is not complete; run it again to continue'
  return new CommandError(exitCodes.interrupted, 'cli/interrupted', message)
}

function migrateError(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error
  const { code, message } = error
  const hint = isOutOfReach(error) ? 'run it again to continue; nothing is lost' : error.hint
  return new CommandError(exitCodes.failed, code, message, { hint })
}
