// The body of a trigger URL's call, and what the run that the call starts is given of it.

/** How a trigger URL hands on the body of a call. */
export const bodyUses = ['none', 'file', 'variables'] as const
/** How a trigger URL hands on the body of a call. */
export type BodyUse = (typeof bodyUses)[number]

/** What a run is given of a call, by name alone: in orders, services, runs and units. */
export interface NamedBody {
  /** Of its record; no two calls have the same. */
  readonly id: string
  /** Of the call, as it came. */
  readonly bytes: number
  /** It finds the body as a file. */
  readonly file: boolean
  /** Names of the variables that it gets, sorted. */
  readonly variables: readonly string[]
}

/** The body of a call until its run is over, sealed. One run alone gets it. */
export interface CallBody {
  readonly project: string
  readonly service: string
  readonly id: string
  /** A `GivenBody` as JSON, sealed at `callBodyPlace`. */
  readonly sealed: string
}

/** What is sealed of a call. */
export interface GivenBody {
  /** What the file holds, in base64; null for no file. */
  readonly data: string | null
  readonly variables: Readonly<Record<string, string>>
}

/** A body in bytes, whatever becomes of it. */
export const bodyAtMost = 64 * 1024

/** Bodies that runs of one service still need. */
export const bodiesAtMost = 200
/** What those of a project, and of all projects, take in the store, in characters. */
export const projectBodiesAtMost = 8 * 1024 * 1024
export const clusterBodiesAtMost = 32 * 1024 * 1024

/** What stands before the keys of a body that become variables: none can be `PATH`, nor one that a loader reads. */
export const bodyVariablePrefix = 'TRIGGER_'
/** The variable that says where the file is, and the one that says of which type it is. */
export const bodyVariable = `${bodyVariablePrefix}BODY`
export const bodyTypeVariable = `${bodyVariablePrefix}BODY_TYPE`
/** The file, in the directory of the instance's own files. */
export const bodyFile = '.trigger-body'

/** What the places of all of them begin with. */
export const callBodyPlaces = 'call-body/'

/** Where the body of a call is sealed: it opens for no other run. */
export function callBodyPlace({
  project,
  service,
  id,
}: Pick<CallBody, 'project' | 'service' | 'id'>): string {
  return `${callBodyPlaces}${project}/${service}/${id}`
}
