// A host for tests of the process driver: a folder of its own, and the real supervisor, bundled once.
import { mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import type { UnitToRun } from '../../../src/agent/driver.js'
import { openVolumeDirectories } from '../../../src/drivers/io/volume-directories.js'
import { openProcessDriver, type ProcessDriver } from '../../../src/drivers/process/io/driver.js'
import { systemClock } from '../../../src/lib/io/clock.js'
import { silentLog } from '../../../src/lib/io/log.js'
import type { Time } from '../../../src/lib/time.js'
import { openHome } from '../../../src/supervisor/io/home.js'
import { lookAtProcesses, readEnviron } from '../../../src/supervisor/io/proc.js'
import type { CgroupPlace } from '../../../src/supervisor/io/unit-cgroups.js'
import { supervisorVariable } from '../../../src/supervisor/marker.js'
import { asUnitName } from '../../../src/unit/name.js'
import type { UnitFile } from '../../../src/unit/parse.js'
import { removeDir } from '../../remove-dir.js'
import { type DriverUnderTest, serviceFile, type UnitWish, unitFile } from '../driver-contract.js'

export interface ProcessHost extends DriverUnderTest {
  readonly driver: ProcessDriver
  readonly dir: string
  readonly reopen: () => Promise<ProcessDriver>
  /** The pid of the supervisor at work; null while there is none. */
  readonly supervisorPid: () => number | null
  /** The living processes of a unit. */
  readonly processesOf: (unit: UnitToRun) => readonly number[]
}

export interface HostOptions {
  readonly idleExitMs?: number
  readonly logBytes?: number
  /** Default: none, whatever the machine has. */
  readonly cgroups?: CgroupPlace
  readonly dir?: string
  /** Of the driver; default: the machine's own. */
  readonly clock?: Time
}

/** Opens a driver on a fresh folder. */
export async function openProcessHost({
  clock = systemClock,
  ...options
}: HostOptions = {}): Promise<ProcessHost> {
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'mariposa-process-'))
  const home = openHome(dir)
  const opened: ProcessDriver[] = []
  const open = async (): Promise<ProcessDriver> => {
    const driver = await openProcessDriver({
      dir,
      clock,
      log: silentLog,
      volumes: openVolumeDirectories({ dir: join(dir, 'volumes'), driver: 'process', clock: systemClock }),
      supervisorCommand: [
        process.execPath,
        await bundledSupervisor(),
        JSON.stringify({ cgroups: null, ...options, dir }),
      ],
      machine: { id: 'a'.repeat(32), hostname: 'here' },
    })
    opened.push(driver)
    return driver
  }
  const driver = await open()
  return {
    driver,
    dir,
    makeUnit,
    reopen: open,
    supervisorPid: () => markedBy(`${supervisorVariable}=${home.id}`)[0] ?? null,
    processesOf: ({ name }) =>
      [...lookAtProcesses(true).values()]
        .filter(({ mark }) => mark?.home === home.id && mark.unit === name)
        .map(({ pid }) => pid),
    dispose: async () => {
      for (const each of opened) await each.close()
      const last = await open()
      await last.shutdownSupervisor(AbortSignal.timeout(20_000))
      // Where a test failed, something may be left that no supervisor knows of.
      for (const { pid, mark } of lookAtProcesses(true).values())
        if (mark?.home === home.id) process.kill(pid, 'SIGKILL')
      removeDir(dir)
    },
  }
}

function makeUnit(wish: UnitWish): UnitToRun {
  const unit = unitToRun(wish.name, serviceFile(wish), wish.hash)
  return wish.volumes === undefined ? unit : { ...unit, volumes: wish.volumes }
}

/** A unit from lines of its `[Service]` section. */
export function serviceUnit(name: string, ...service: readonly (readonly [string, string])[]): UnitToRun {
  return unitToRun(name, unitFile(service.map(([option, value]) => ['Service', option, value])))
}

export function unitToRun(name: string, file: UnitFile, hash = '0000'): UnitToRun {
  return { name: asUnitName(`${name}.service`), hash, file, instance: null, ports: [], environment: {} }
}

/** Processes with a variable in their environment. */
function markedBy(variable: string): readonly number[] {
  return [...lookAtProcesses(false).keys()].filter((pid) => readEnviron(pid).split('\0').includes(variable))
}

let bundle: Promise<string> | null = null

/** The supervisor as one file of JavaScript; its only argument is its options as JSON. */
export function bundledSupervisor(): Promise<string> {
  bundle ??= bundleSupervisor()
  return bundle
}

/** Kept beside other things that are made from the sources; whole or not there, for tests run side by side. */
async function bundleSupervisor(): Promise<string> {
  const root = resolve(import.meta.dirname, '../../..')
  const { outputFiles } = await build({
    stdin: {
      contents: `import { superviseMain } from './src/supervisor/io/supervisor-main.ts'
process.exitCode = await superviseMain(JSON.parse(process.argv[2]))`,
      resolveDir: root,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    write: false,
  })
  const cache = join(root, 'node_modules', '.cache')
  const file = join(cache, 'mariposa-test-supervisor.mjs')
  mkdirSync(cache, { recursive: true })
  writeFileSync(`${file}.${process.pid}`, outputFiles[0]?.text ?? '')
  renameSync(`${file}.${process.pid}`, file)
  return file
}
