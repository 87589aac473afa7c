// Secrets that programs are given, with `--profile requests` and in a part of its seeds: each program has the secret of its own
// service that it asks for, and no other, and nobody else sees it. Beside that operators ask a daemon's API for all kinds of lists.
import type { UnitToRun } from '../../src/agent/driver.js'
import { paths } from '../../src/contract/contract.js'
import type { ClusterView } from '../../src/store/view.js'
import { diceOf } from './clockwork.js'
import { askOutside, type EverywhereParts } from './everywhere.js'
import { type Deed, numberOf, project } from './scenario.js'
import { type SecretsJudge, wrongToken } from './secrets-judge.js'

/** How a program is given it; most are given none. */
const ways = ['variable', 'variable', 'file', null, null] as const

/** Programs of some services ask for a secret, each of their versions in its own way. */
export function withGivenSecrets(
  deeds: readonly Deed[],
  { seed }: { readonly seed: number },
): readonly Deed[] {
  const dice = diceOf(`given secrets ${seed}`)
  if (!dice.chance(0.6)) return deeds
  return deeds.map((deed) => {
    const way = deed.what === 'deploy' ? (dice.pick(ways) ?? null) : null
    return way === null ? deed : { ...deed, details: { ...deed.details, secret: way } }
  })
}

/** The key of the metadata whose value the programs of a service are given. */
export function ownKeyOf(service: string): string {
  return `own_${service}`
}

/** What it begins with behind what all secrets have in common. */
export function ownWordOf(service: string): string {
  return `own-${service}`
}

const wordsOf = /whisper-own-(\w+)\//g

export class GivenSecrets {
  readonly #broke: (what: string) => void
  readonly #count: (what: string) => void
  readonly #secrets: SecretsJudge

  constructor(secrets: SecretsJudge, broke: (what: string) => void, count: (what: string) => void) {
    this.#secrets = secrets
    this.#broke = broke
    this.#count = count
  }

  /** A program begins. */
  begun({ secrets = {}, files = [], ...open }: UnitToRun, view: ClusterView | null): void {
    const { name, instance } = open
    this.#secrets.seen(`what everybody may read of ${name}`, JSON.stringify(open))
    const version = view?.versions.get(view.instances.get(name)?.version ?? '')
    if (instance === null || version === undefined) return
    for (const { path, secret, content } of files)
      if (!secret) this.#secrets.seen(`the file ${path} of ${name}`, Buffer.from(content).toString())
    const inFiles = files.map(({ content }) => Buffer.from(content).toString())
    const variables = Object.values(secrets)
    const { service } = instance
    const others = [...inFiles, ...variables].flatMap((text) =>
      [...text.matchAll(wordsOf)].flatMap(([, of]) => (of === service ? [] : [of])),
    )
    if (others.length > 0) this.#broke(`${name} is given the secret of ${others.join(', ')}`)
    const has = (texts: readonly string[]): boolean => texts.some((text) => text.includes(ownWordOf(service)))
    for (const [way, texts] of [
      ['variable', variables],
      ['file', inFiles],
    ] as const) {
      const asks = wayIn(version.text) === way
      if (has(texts) !== asks)
        this.#broke(
          `${name} is ${asks ? 'not ' : ''}given a secret as a ${way}, and asks for ${asks ? 'it' : 'none'}`,
        )
      else if (asks) this.#count(`secret given as a ${way}`)
    }
  }
}

/** How a program of a manifest of these is given its secret; null where it asks for none. */
function wayIn(manifest: string): 'variable' | 'file' | null {
  if (manifest.includes('OWN: "{{ .meta.own_')) return 'variable'
  return manifest.includes('secrets: [own_') ? 'file' : null
}

/** Asks a daemon for one of the lists that there are, now and then with a token that nobody has. No answer has a secret in it. */
export async function lookAround(
  deed: Deed,
  { secrets, ...parts }: EverywhereParts & { readonly secrets: SecretsJudge },
): Promise<void> {
  const { nodes, broke, count } = parts
  const node = nodes.find(({ name, daemon }) => name === deed.details['via'] && daemon !== null)
  if (node === undefined) return
  const n = numberOf(deed, 'n')
  const service = `s${n % 5}`
  const lists = [
    ...[paths.services(project), paths.service(project, service), paths.versions(project, service)],
    ...[paths.units, paths.instances(project), paths.machines, paths.tasks, paths.meta(project)],
    ...[paths.metaKey(project, ownKeyOf(service)), paths.registries, paths.projects, paths.project(project)],
    ...[paths.exportRecords, paths.webhooks(project), paths.deliveries(project)],
    ...[paths.discovery(project), paths.explain(project, service), paths.unreadable, `${paths.units}/nobody`],
  ]
  const path = lists[Math.floor(n / 5) % lists.length] ?? paths.units
  const isUnknown = n % 7 === 0
  const token = isUnknown ? { token: wrongToken } : {}
  const answer = await askOutside(node, { method: 'GET', path, ...token }, parts)
  if (answer === null) return
  secrets.shown(`what ${node.name} answers to ${path}`, answer.text)
  if (isUnknown !== (answer.status === 401))
    broke(
      `${node.name} answers ${answer.status} to ${path}, ${isUnknown ? 'with a wrong token' : 'with its token'}`,
    )
  count(isUnknown ? 'looked with a wrong token' : `looked at ${path.replace(/s\d/, 'S')}: ${answer.status}`)
}
