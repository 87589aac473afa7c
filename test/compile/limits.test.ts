// Whatever limits and rights a manifest has, the drivers read the same out of the unit's text.
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { compileVersion } from '../../src/compile/compile.js'
import { containerSpec } from '../../src/drivers/docker/container.js'
import { readService } from '../../src/drivers/process/read-service.js'
import type { ServiceManifest } from '../../src/manifest/schema.js'
import { capabilityNames } from '../../src/model/capability.js'
import type { Service } from '../../src/supervisor/service.js'
import { withInstance } from '../../src/unit/name.js'
import { parseUnit } from '../../src/unit/parse.js'
import { printUnit } from '../../src/unit/print.js'
import { anyManifest } from '../manifest/arbitrary-manifest.js'
import { randomCases } from '../random-runs.js'

const version = { uuid: '0b2f8a52-3c1d-5e6f-8a9b-0c1d2e3f4a5b', ordinal: 2 }
const machine = { id: '0123456789abcdef0123456789abcdef', hostname: 'host-a' }

function compiled({ containerpilot: _, ...given }: ServiceManifest) {
  // What else it says is for other tests.
  const manifest: ServiceManifest = {
    ...given,
    ...{
      volumes: [],
      ports: [],
      environment: {},
      labels: {},
      healthchecks: [],
      affinity: [],
      dns: [],
      'dns-search': [],
    },
    ...{ triggers: [], webhooks: [], command: ['/bin/x'], entrypoint: ['/bin/y'], working_dir: '/' },
  }
  const { text, template, diagnostics } = compileVersion({
    ...{ project: 'default', package: null, version, file: 'web.yml', manifest },
  })
  const { file, diagnostics: found } = parseUnit(text)
  expect([...diagnostics, ...found]).toEqual([])
  const printed = parseUnit(printUnit(file)).file
  const plain = ({ options }: typeof file) => options.map(({ line: _, ...option }) => option)
  expect(plain(printed)).toEqual(plain(file))
  return { file, name: withInstance(template, 7), manifest }
}

// Twice two hundred manifests are compiled: that takes minutes where the processors are shared with many others.
vi.setConfig({ testTimeout: 600_000 })

const docker = anyManifest.filter(({ compute_type: type }) => type === 'docker')
const process = anyManifest.filter(({ compute_type: type }) => type === 'process')

test('Docker is asked for what a manifest says', () => {
  fc.assert(
    fc.property(docker, (given) => {
      const { file, name, manifest } = compiled(given)
      const unit = { name, hash: '', file, instance: null, ports: [], environment: {} }
      const { spec, diagnostics } = containerSpec(unit, machine)
      expect(diagnostics).toEqual([])
      const { HostConfig: host, StopSignal, Hostname } = spec?.request ?? {}
      expect({ StopSignal, Hostname }).toEqual({
        StopSignal: manifest.stop_signal,
        Hostname: manifest.hostname,
      })
      expect(host?.NanoCpus).toEqual(manifest.cpu === undefined ? undefined : Math.round(manifest.cpu * 1e9))
      const swap = manifest.memory_swap
      expect(host?.MemorySwap).toEqual(
        swap === undefined || swap === -1 ? swap : Math.max(6, swap) * 1024 ** 2,
      )
      expect(host?.PidsLimit).toEqual(manifest.pids)
      expect(host?.ShmSize).toEqual(manifest.shm_size && manifest.shm_size * 1024 ** 2)
      expect(host?.Ulimits).toEqual(
        Object.entries(manifest.ulimits ?? {}).map(([Name, { soft, hard }]) => ({
          Name,
          Soft: soft,
          Hard: hard,
        })),
      )
      expect(host?.CapAdd).toEqual(manifest.cap_add ?? [])
      expect(host?.CapDrop).toEqual(manifest.cap_drop ?? [])
      expect(host?.GroupAdd).toEqual(manifest.group_add ?? [])
      expect(host?.ExtraHosts).toEqual(manifest.extra_hosts ?? [])
      expect(host?.Sysctls).toEqual(manifest.sysctls ?? {})
      expect(host?.Devices).toHaveLength(manifest.devices?.length ?? 0)
      expect([host?.Init, host?.ReadonlyRootfs, host?.Privileged]).toEqual(
        [manifest.init, manifest.read_only, manifest.privileged].map((flag) => flag || undefined),
      )
      expect(host?.DeviceRequests?.length).toEqual(manifest.gpus === undefined ? undefined : 1)
      const { log } = manifest
      const options = {
        ...(log?.max_size && { 'max-size': `${log.max_size}m` }),
        ...(log?.max_files && { 'max-file': String(log.max_files) }),
        ...log?.options,
      }
      const isSaid = log?.driver !== undefined || Object.keys(options).length > 0
      expect(host?.LogConfig).toEqual(
        isSaid ? { Type: log?.driver ?? 'json-file', Config: options } : undefined,
      )
    }),
    { numRuns: randomCases(200) },
  )
})

test('the process driver reads the limits, groups and signal of a manifest, and refuses all else by its name', () => {
  fc.assert(
    fc.property(process, (given) => {
      const { file, name, manifest } = compiled(given)
      const { service, diagnostics } = readService(file, { name, machine })
      expect(service.limits ?? {}).toEqual(manifest.ulimits ?? {})
      expect(service.groups ?? []).toEqual(manifest.group_add ?? [])
      expect(service.tasks).toBe(manifest.pids)
      const errors = diagnostics.filter(({ severity }) => severity === 'error')
      const refused = new Set(errors.map(({ path }) => path?.replace('/Service/', '')))
      const { cpu, memory_swap: swap, shm_size: shm, read_only: only } = manifest
      const { cap_add: add = [], devices = [], stop_signal: signal = 'SIGTERM' } = manifest
      expect(refused).toEqual(
        new Set([
          ...(swap === undefined ? [] : ['MemorySwapMax']),
          ...(shm === undefined ? [] : ['TemporaryFileSystem']),
          ...(only === true ? ['ProtectSystem'] : []),
          ...(add.length > 0 ? ['AmbientCapabilities'] : []),
          ...(devices.length > 0 ? ['DeviceAllow'] : []),
          ...(signal.includes('RTMIN') ? ['KillSignal'] : []),
          ...(manifest.files.some(({ path }) => path.startsWith('/f/')) ? ['/X-Mariposa/File'] : []),
        ]),
      )
      expect(heldIn(service)).toEqual(asSaid(manifest))
      if (!signal.includes('RTMIN')) expect(service.killSignal).toBe(signal)
      if (cpu === undefined) expect(service.cpuPercent).toBeUndefined()
      else expect(service.cpuPercent).toBeCloseTo(cpu * 100, 6)
    }),
    { numRuns: randomCases(200) },
  )
})

function heldIn({ noNewPrivileges, bounding }: Service) {
  const held = noNewPrivileges === true
  const isIn = (name: string) =>
    bounding === undefined || bounding.names.includes(name) === (bounding.kind === 'only')
  return { held, names: capabilityNames.filter(isIn) }
}

/** A user other than root has what is added alone, unless the manifest says that it may get more. */
function asSaid(manifest: ServiceManifest) {
  const { user = 'root', no_new_privileges: said, cap_add: add = [], cap_drop: drop = [] } = manifest
  const isOther = user !== 'root' && !user.startsWith('0')
  const held = said ?? isOther
  const all = add.includes('ALL')
  const isOnlyAdded = !all && (drop.includes('ALL') || (held && isOther))
  const names = capabilityNames.filter((name) =>
    (isOnlyAdded ? add : { includes: () => true }).includes(name),
  )
  return { held, names: isOnlyAdded ? names : names.filter((name) => !drop.includes(name)) }
}
