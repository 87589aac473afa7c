// What was done to the queue of a service or of a project, in a line.
import type { TaskBody } from '../contract/contract.js'
import { serviceOf } from './progress.js'

export type ScopeVerb = 'freeze' | 'unfreeze' | 'release'

/** `asked` is the scope as the command names it; a freeze has the service's own name, where a uuid was given. */
export function describeScopeChange(verb: ScopeVerb, asked: string, tasks: readonly TaskBody[]): string {
  if (verb === 'unfreeze') return `${asked}: unfrozen`
  if (verb === 'release') return `${asked}: lost instances are replaced now`
  const scope = tasks.find(({ task }) => task === 'freeze')?.scope ?? asked
  const service = scope.includes('/') ? ` --service ${serviceOf({ scope })}` : ''
  return `${scope}: frozen: nothing changes until mariposa queue unfreeze${service}`
}
