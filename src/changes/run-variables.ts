// Variables that are set for one run of a service: what may be set, and how much.
import { textProblem } from '../compile/text.js'
import { placeholderEnd, placeholderStart } from '../manifest/variables.js'
import type { RunVariables } from '../model/run-variables.js'
import type { ServiceVersion } from '../model/service.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { deferredEnvironmentOf } from '../unit/deferred-environment.js'
import { isVariableName } from '../unit/environment.js'
import { parseUnit } from '../unit/parse.js'
import type { Problem } from './problem.js'

/** As many variables, and characters of their names and values, as may be set for a run. */
export const mostVariables = 64
export const mostChars = 32_768

/** Why variables cannot be set for a run of a service; null where they can. Codes: `service/bad-variables`, `service/secret-variable`. */
export function variablesProblem(
  view: ClusterView,
  project: string,
  service: string,
  set: RunVariables,
): Problem | null {
  const names = Object.keys(set)
  if (names.length === 0) return null
  if (names.length > mostVariables)
    return bad(`${names.length} variables are set, at most ${mostVariables} are allowed`)
  const odd = names.find((name) => !isVariableName(name))
  if (odd !== undefined) return bad(`${JSON.stringify(odd)} cannot name a variable`)
  const unfit = names.find((name) => isUnfit(set[name] ?? ''))
  if (unfit !== undefined) return bad(`the value of ${unfit} holds a character that cannot be passed on`)
  const chars = names.reduce((sum, name) => sum + name.length + (set[name] ?? '').length, 0)
  if (chars > mostChars)
    return bad(`the variables have ${chars} characters, at most ${mostChars} are allowed`)
  const version = view.versions.get(view.services.get(serviceKey(project, service))?.current ?? '')
  const secrets = version === undefined ? [] : secretVariablesOf(view, version)
  const secret = names.find((name) => secrets.includes(name))
  return secret === undefined ? null : secretVariable(secret)
}

/** What no program can be given, and the marks that stand for values of a placement. */
export function isUnfit(text: string): boolean {
  return textProblem(text) !== null || text.includes(placeholderStart) || text.includes(placeholderEnd)
}

/** The variables of a version that are filled in from the metadata where its instances start, as secrets are. */
function secretVariablesOf(view: ClusterView, { hash, template }: ServiceVersion): readonly string[] {
  const { file } = parseUnit(view.files.get(hash) ?? '', template)
  const { variables } = deferredEnvironmentOf(file, { name: template, machine: null })
  return variables.filter(({ pieces }) => pieces.some(({ kind }) => kind === 'meta')).map(({ name }) => name)
}

function bad(message: string): Problem {
  return { status: 400, code: 'service/bad-variables', message }
}

function secretVariable(name: string): Problem {
  return {
    status: 409,
    code: 'service/secret-variable',
    message: `${name} is filled in from a secret, but the variables of a run are shown in plain text`,
    hint: 'set the secret itself: mariposa meta set --secret KEY VALUE',
  }
}
