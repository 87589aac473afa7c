// The parameters in the addresses of requests as JSON Schema. A route without one of these takes none.
import { Type } from 'typebox'

function text(description: string) {
  return Type.Optional(Type.String({ description }))
}

function flag(description: string) {
  return Type.Optional(Type.Enum(['true', 'false'], { type: 'string', description }))
}

function queryOf<T extends Record<string, ReturnType<typeof text> | ReturnType<typeof flag>>>(known: T) {
  return Type.Object(known, { additionalProperties: false })
}

/** Of each of our lists. */
const ofPage = {
  limit: text('At most so many entries: where there are more, the header `link` leads to the next.'),
  after: text('What comes after an entry, as the header `link` of the page with it says.'),
}

export const noQuery = queryOf({})

export const pageQuery = queryOf(ofPage)

export const ofServiceQuery = queryOf({ service: text('Of this service alone.'), ...ofPage })

const ofProject = { project: text('Of this project alone.') }

export const ofProjectQuery = queryOf({ ...ofProject, ...ofPage })

/** Who finds targets by asking asks for no pages. */
export const discoveryQuery = queryOf(ofProject)

export const projectDiscoveryQuery = queryOf({ follow: flag('Sends it again after each change.') })

export const volumesQuery = queryOf({
  project: text('Of this project alone.'),
  service: text('Of this service alone.'),
  machine: text('Of this machine alone.'),
  ...ofPage,
})

export const volumeQuery = queryOf({ project: text('Where a name is looked for; default: `default`.') })

export const deleteVolumeQuery = queryOf({
  project: text('Where a name is looked for; default: `default`.'),
  force: flag('Says that its data are to go: without it nothing is deleted.'),
})

const ofVolume = { project: text('Where a name is looked for; default: `default`.') }

const pauseAtMost = text(
  'For how many seconds what runs with the volume is paused at the most, up to 3600; default: 60. With the consistency `paused` alone.',
)

export const backupQuery = queryOf({
  ...ofVolume,
  consistency: text(
    'What becomes of the instance meanwhile: `live`, `paused` or `stopped`; default: `live`.',
  ),
  skipHook: flag('Leaves out `before_backup`, which the volume is backed up without then.'),
  pauseAtMost,
})

export const volumeExportQuery = queryOf({
  hold: text('The move that it is for.'),
  offset: text('How much of it has come before; default: 0.'),
})

export const restoreQuery = queryOf({
  ...ofVolume,
  force: flag('Says that what is in the volume is to go: without it only an empty one is filled.'),
  sha256: text('Of the backup: one that has another is refused.'),
  machine: text(
    'Where the volume of a slot is made that has none yet; default: the emptiest that takes its instance.',
  ),
})

export const cloneQuery = queryOf({
  ...backupQuery.properties,
  to: text('The volume that is to have the same: its uuid, the beginning of that, or its name.'),
  force: flag('Says that what is in that is to go: without it only an empty one is filled.'),
  machine: text(
    'Where the other volume is made if its slot has none yet; default: the emptiest that takes its instance.',
  ),
})

export const deliveriesQuery = queryOf({
  service: text('Of this service alone.'),
  state: text('`queued`, `delivered` or `dead`.'),
  ...ofPage,
})

export const deleteServiceQuery = queryOf({
  force: flag('Stops what runs first.'),
  volumes: flag('Deletes its named volumes, and those without a name of its containers, as well.'),
  join: flag('Where it is being deleted already: the answer is that task, and not a refusal.'),
})

export const deleteProjectQuery = queryOf({ force: flag('Stops what runs first.') })

export const removeMetaQuery = queryOf({ cas: text('Refuse unless the key has this CAS id.') })

export const killQuery = queryOf({ signal: text('Its name or number; SIGKILL.') })

export const recordQuery = queryOf({ key: text('The key in the store.') })

export const exportQuery = queryOf({ history: flag('Whether events and deliveries are in it.') })

export const imageQuery = queryOf({ name: text('The image as a manifest writes it.') })

export const fetchImageQuery = queryOf({
  name: text('The image as a unit names it.'),
  pull: text('`missing`, `always` or `never`; default: `missing`.'),
  deadline_ms: text('How long it may take, in milliseconds; default: 10 min.'),
})

export const entryQuery = queryOf(ofPage)

export const dnsQuery = queryOf({
  type: text('The type of records; A.'),
})

const linesQuery = {
  follow: flag('Goes on with what is written from now on.'),
  since: text('An RFC 3339 time.'),
  tail: text('How many of the last lines.'),
}

export const journalQuery = queryOf(linesQuery)

export const logsQuery = queryOf({
  ...linesQuery,
  previous: flag(
    'Of instances that have ended instead, also where they are removed, as long as that is kept.',
  ),
})

export const eventsQuery = queryOf({
  follow: flag('Goes on with what happens from now on.'),
  since: text("An RFC 3339 time, or an event's id."),
  until: text("An RFC 3339 time, or an event's id."),
  tail: text('How many of the last events.'),
  project: text('Of this project alone.'),
  service: text('Of this service alone.'),
  machine: text('Of this machine alone.'),
  kind: text('Kinds, between commas.'),
  by: text('Of whom this is a part of the name.'),
})

export const detachQuery = queryOf({
  exec: text('What the header x-mariposa-exec of the answer to the exec said.'),
})

const words = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description }))

const ofTerminal = {
  tty: flag('Gives it a terminal.'),
  columns: text('Of its terminal.'),
  rows: text('Of its terminal.'),
  term: text('The type of its terminal.'),
}

export const runQuery = Type.Object(
  {
    argv: words('The command: repeated, a word each.'),
    set: words('`KEY=VALUE`, a variable beside those of the service: repeated.'),
    ...ofTerminal,
  },
  { additionalProperties: false },
)

export const execQuery = Type.Object(
  {
    argv: words('The command: repeated, a word each.'),
    user: text('Who runs it.'),
    join: flag('The program of an instance that runs once is joined instead.'),
    ...ofTerminal,
  },
  { additionalProperties: false },
)
