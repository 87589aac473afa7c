import { uuidOf } from '../lib/hash.js'
import type { Instant } from '../lib/time.js'

/** What is known of a project beside its services. Written by the deploy of a project manifest. */
export interface Project {
  readonly name: string
  /** As its manifest writes them: templates of theirs speak of each service. */
  readonly tags: Readonly<Record<string, string>>
  readonly createdAt: Instant
}

/** The uuid of a project. It depends on the name alone: a project is nothing but its name, and may have no record. */
export function projectUuid(name: string): string {
  return uuidOf('project', name)
}
