// One service of a Compose file as a manifest, key by key in the order of the file.
import { isEmpty, type ScalarNode, type Tree } from '../manifest/tree.js'
import type { ComposeService, Entry, Translate } from './compose-service.js'
import { translateDependencies } from './dependencies.js'
import { type DraftMap, listPair, pair, remark, withoutRepeats } from './draft.js'
import { translateEnvFile, translateEnvironment } from './env-file.js'
import { translateFiles } from './files.js'
import { translateHealthcheck } from './health.js'
import {
  translateDeploy,
  translateMemory,
  translateRestart,
  translateScale,
  translateStopGrace,
} from './limits.js'
import { translatePorts } from './ports.js'
import { translateBuild, translateCommand, translateLabels } from './program.js'
import {
  flagKey,
  pairsKey,
  translateCpus,
  translateDevices,
  translateExtraHosts,
  translateGpus,
  translateLogging,
  translatePids,
  translateSecurity,
  translateShmSize,
  translateSwap,
  translateUlimits,
  unlessUnderDeploy,
} from './rights.js'
import { adviceForUnknown, excerpt, leftOut, quoted, readText, readTexts, shown } from './texts.js'
import { uncarriedOfService } from './uncarried.js'
import { translateTmpfs, translateVolumes } from './volumes.js'

/** The manifest as far as Compose's keys have a counterpart; a remark stands where one has none. */
export function translateService(service: ComposeService): DraftMap {
  const { name, newName, node, runsOnce, others } = service
  const renamed =
    String(name.value) === newName
      ? []
      : [remark(name, `${quoted(String(name.value))} in Compose; the name of a service is a DNS label here`)]
  const job = runsOnce
    ? [
        remark(
          name,
          others.awaited.has(String(name.value))
            ? `it runs once and ends: it is started for the first service that waits for it, and later with mariposa service start ${newName}`
            : `it runs once and ends: start it with mariposa service start ${newName}`,
        ),
        pair('service_type', name, 'event'),
      ]
    : []
  const entries = node.entries.flatMap(({ key, value }) => translateEntry(key, value, service))
  return withoutRepeats({ kind: 'map', entries: [...renamed, ...job, ...entries] })
}

/** Keys with a counterpart. */
const carried: Readonly<Record<string, Translate>> = {
  build: translateBuild,
  cap_add: listKey('cap_add'),
  cap_drop: listKey('cap_drop'),
  command: translateCommand('command'),
  configs: translateFiles('configs'),
  cpus: unlessUnderDeploy('cpus', translateCpus),
  depends_on: translateDependencies,
  deploy: translateDeploy,
  devices: translateDevices,
  dns: listKey('dns'),
  dns_search: listKey('dns-search'),
  entrypoint: translateCommand('entrypoint'),
  env_file: translateEnvFile,
  environment: translateEnvironment,
  extends: translateExtends,
  extra_hosts: translateExtraHosts,
  gpus: (node) => translateGpus(node),
  group_add: listKey('group_add'),
  healthcheck: translateHealthcheck,
  hostname: textKey('hostname'),
  image: textKey('image'),
  init: flagKey('init'),
  labels: translateLabels,
  links: translateLinks,
  logging: translateLogging,
  mem_limit: translateMemory,
  memswap_limit: translateSwap,
  pids_limit: unlessUnderDeploy('pids', translatePids),
  ports: translatePorts,
  privileged: flagKey('privileged'),
  profiles: translateProfiles,
  pull_policy: translatePull,
  read_only: flagKey('read_only'),
  restart: translateRestart,
  scale: translateScale,
  secrets: translateFiles('secrets'),
  security_opt: translateSecurity,
  shm_size: translateShmSize,
  stop_grace_period: translateStopGrace,
  stop_signal: textKey('stop_signal'),
  sysctls: pairsKey('sysctls'),
  tmpfs: translateTmpfs,
  ulimits: translateUlimits,
  user: textKey('user'),
  volumes: translateVolumes,
  working_dir: textKey('working_dir'),
}

/** Every key of a Compose service that is known here. */
export const knownKeys: readonly string[] = [
  ...Object.keys(carried),
  ...Object.keys(uncarriedOfService),
].sort()

function translateEntry(key: ScalarNode, node: Tree, service: ComposeService): readonly Entry[] {
  const name = String(key.value)
  if (isEmpty(node)) return []
  const translate = Object.hasOwn(carried, name) ? carried[name] : undefined
  if (translate) return translate(node, service)
  const advice = Object.hasOwn(uncarriedOfService, name) ? uncarriedOfService[name] : undefined
  if (node.kind !== 'scalar' && excerpt(node) === '') return []
  return [leftOut(key, `${shown(name)} (${excerpt(node)})`, advice ?? adviceForUnknown(name))]
}

function textKey(key: string): Translate {
  return (node) => {
    const { text, remarks } = readText(node, key)
    return text === null || text === '' ? remarks : [...remarks, pair(key, node, text)]
  }
}

/** Words of Compose that ask for more than when an image is fetched are not carried over. */
function translatePull(node: Tree): readonly Entry[] {
  const { text, remarks } = readText(node, 'pull_policy')
  if (text === null || text === '') return remarks
  const word = text === 'if_not_present' ? 'missing' : text
  if (['missing', 'always', 'never'].includes(word)) return [...remarks, pair('pull', node, word)]
  const advice = 'an image is pulled where it is missing; pull: always asks the registry for each container'
  return [...remarks, leftOut(node, `pull_policy (${excerpt(node)})`, advice)]
}

function listKey(key: string): Translate {
  return (node) => listPair(key, node, readTexts(node, key))
}

function translateLinks(node: Tree, { names }: ComposeService): readonly Entry[] {
  const links = readTexts(node, 'links').flatMap((item) => (item.kind === 'item' ? [item.value] : []))
  const list = links.map((link) => quoted(names.get(link.split(':')[0] ?? '') ?? link).slice(1, -1))
  return [
    leftOut(
      node,
      `links (${list.join(', ')})`,
      'services are found by their own names; where the program asks for another one, change that in environment',
    ),
  ]
}

function translateProfiles(node: Tree): readonly Entry[] {
  return [
    leftOut(
      node,
      `profiles (${excerpt(node)})`,
      'Compose starts it only with one of them: leave the service out where it is not wanted',
    ),
  ]
}

/** What is left of `extends` when the other service stands in this file too is nothing. */
function translateExtends(node: Tree): readonly Entry[] {
  return [leftOut(node, `extends (${excerpt(node)})`, 'what it names is not in this file: add what it says')]
}
