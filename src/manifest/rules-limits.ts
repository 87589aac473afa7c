// Rules of limits and rights: what a compute type can have, and what goes together.
import { isOrdered, type ResourceLimit } from '../model/resource-limit.js'
import { limitFieldsOfManifest } from './normalise-limits.js'
import { isGiven, itemOf, type Rule, type RuleInput } from './rule.js'
import { childOf } from './tree.js'

export const limitRules: readonly Rule[] = [
  computeTypeHasLimits,
  processHasOwnDevices,
  softIsWithinHard,
  capabilitiesAreClear,
  swapIsBeyondMemory,
  sharedMemoryIsOnce,
  logFilesHaveSizes,
]

type LimitKey = keyof typeof limitFieldsOfManifest
const limitKeys = Object.keys(limitFieldsOfManifest) as readonly LimitKey[]

/** What a program of the machine cannot have, whatever runs it, and why. */
const notForProcesses: Readonly<Partial<Record<LimitKey, string>>> = {
  hostname: 'a process shares the name of its machine',
  extra_hosts: 'a process reads /etc/hosts of its machine',
  init: 'orphaned processes are collected by the init of the machine',
  privileged: 'a process is not in a container, so it cannot be privileged: use user and cap_add',
  gpus: 'a process sees the GPUs of its machine',
  sysctls: 'a process shares the kernel parameters of its machine',
  log: 'the output of a process is kept by the journal, or by the process driver, with limits for the machine',
}

function computeTypeHasLimits({ manifest, tree, notes }: RuleInput): void {
  const { compute_type: type } = manifest
  for (const key of limitKeys) {
    const node = childOf(tree, key)
    if (!node) continue
    const hint = `leave ${key} out, or use compute_type: docker`
    if (type === 'process' && notForProcesses[key] !== undefined) {
      notes.report('manifest/conflict', node, `${key}: ${notForProcesses[key]}`, hint)
    } else if (['infrastructure', 'kvm', 'manta'].includes(type)) {
      notes.report('manifest/conflict', node, `compute_type: ${type} has no ${key}`, `leave ${key} out`)
    }
  }
}

function processHasOwnDevices({ manifest, tree, notes }: RuleInput): void {
  if (manifest.compute_type !== 'process') return
  manifest.devices?.forEach((device, index) => {
    const [path, target] = device.split(':')
    if (target === undefined || !target.startsWith('/') || target === path) return
    const message = `a process sees ${path} at its path on the machine, not at ${target}`
    const node = itemOf(tree, 'devices', index)
    notes.report('manifest/conflict', node, message, `write ${device.replace(`:${target}`, '')}`)
  })
}

function softIsWithinHard({ manifest, tree, notes }: RuleInput): void {
  const limits = childOf(tree, 'ulimits')
  for (const [name, limit] of Object.entries(manifest.ulimits ?? {}) as [string, Partial<ResourceLimit>][]) {
    const { soft, hard } = limit
    if (soft === undefined || hard === undefined || isOrdered({ soft, hard })) continue
    const node = (limits && childOf(limits, name)) ?? tree
    notes.report('manifest/conflict', node, `soft of ${name} is above hard`, 'lower soft, or raise hard')
  }
}

function capabilitiesAreClear({ manifest, tree, notes }: RuleInput): void {
  const { cap_add: added = [], cap_drop: dropped = [], privileged } = manifest
  dropped.forEach((name, index) => {
    if (!added.includes(name)) return
    const message = `${name} is in cap_add too`
    notes.report('manifest/conflict', itemOf(tree, 'cap_drop', index), message, 'keep it in one of them')
  })
  const node = childOf(tree, 'cap_drop')
  if (privileged === true && node && dropped.length > 0)
    notes.report(
      'manifest/conflict',
      node,
      'a privileged container has all capabilities',
      'leave privileged or cap_drop out',
    )
}

/** As Docker counts it. */
function swapIsBeyondMemory({ manifest, tree, notes, package: chosen }: RuleInput): void {
  const node = childOf(tree, 'memory_swap')
  const { memory_swap: both } = manifest
  if (!node || both === undefined) return
  const memory = manifest.memory ?? (isGiven(tree, 'package') ? chosen?.ram : undefined)
  if (memory === undefined) {
    if (isGiven(tree, 'memory') || isGiven(tree, 'package')) return
    notes.report(
      'manifest/missing',
      node,
      'memory_swap is the sum of memory and swap, and memory is missing',
      'give memory',
    )
  } else if (both !== -1 && both < memory) {
    const message = `memory_swap is the sum of memory and swap, and it is less than the ${memory} MiB of memory`
    notes.report('manifest/conflict', node, message, `give at least ${memory}M, or -1`)
  }
}

function sharedMemoryIsOnce({ manifest, tree, notes }: RuleInput): void {
  const node = childOf(tree, 'shm_size')
  if (node && manifest.volumes.some(({ path }) => path === '/dev/shm'))
    notes.report('manifest/conflict', node, 'there is a volume at /dev/shm too', 'keep one of them')
}

function logFilesHaveSizes({ manifest, tree, notes }: RuleInput): void {
  const node = childOf(tree, 'log')
  const { log } = manifest
  if (node?.kind !== 'map' || !log) return
  if (log.max_files !== undefined && log.max_size === undefined && !isGiven(node, 'max_size')) {
    const message = 'max_files has no effect without max_size'
    notes.report('manifest/missing', childOf(node, 'max_files') ?? node, message, 'give max_size')
  }
  const twice = { 'max-size': log.max_size, 'max-file': log.max_files }
  for (const [option, own] of Object.entries(twice)) {
    if (own === undefined || log.options?.[option] === undefined) continue
    const message = `the option ${option} is already set by another key of log`
    notes.report('manifest/conflict', childOf(node, 'options') ?? node, message, 'keep one of them')
  }
}
