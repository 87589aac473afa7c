// What the translators of the keys of a service work with.
import type { MapNode, ScalarNode, Tree } from '../manifest/tree.js'
import type { DraftPair, Remark } from './draft.js'

/** A service of a Compose file, and what its translation has to know of the others. */
export interface ComposeService {
  readonly name: ScalarNode
  /** Its name here. */
  readonly newName: string
  readonly node: MapNode
  /** The name here of each service of the file. */
  readonly names: ReadonlyMap<string, string>
  /** Whether it is a job that ends, not a program that is kept running. */
  readonly runsOnce: boolean
  readonly others: OtherServices
  /** Volumes of the file that cannot be those of a service here. */
  readonly foreign: ForeignVolumes
  /** What the file says of its configs and secrets. */
  readonly declared: { readonly configs: Tree | undefined; readonly secrets: Tree | undefined }
  readonly readBeside: ReadBeside
  /** Counted over all services of an import. */
  readonly envFiles: EnvFileUse
}

/** What the files of variables of an import had so far: their characters, and those of their variables. */
interface EnvFileUse {
  characters: number
}

/** What a file holds, by its path as the Compose file says it, relative to that; null where it cannot be read. */
export type ReadBeside = (path: string) => string | null

/** What the translation of one service has to know of the others. */
export interface OtherServices {
  /** Those that others wait for to complete. */
  readonly awaited: ReadonlySet<string>
  readonly jobs: ReadonlySet<string>
  readonly imported: ReadonlySet<string>
}

/** Why a volume of the file cannot be one of a service here, by its name. */
export type ForeignVolumes = ReadonlyMap<string, string>

export type Entry = DraftPair | Remark
export type Translate = (node: Tree, service: ComposeService) => readonly Entry[]
