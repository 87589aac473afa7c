// The query parameters of requests as JSON Schema. A route without one of these takes none.
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

/** Every list has these. */
const ofPage = {
  limit: text(
    'Maximum number of entries; if there are more, the header `link` has the address of the next page.',
  ),
  after: text('Only entries after this one, as given by the header `link` of the previous page.'),
}

export const noQuery = queryOf({})

export const pageQuery = queryOf(ofPage)

export const ofServiceQuery = queryOf({ service: text('Only of this service.'), ...ofPage })

const ofProject = { project: text('Only of this project.') }

export const ofProjectQuery = queryOf({ ...ofProject, ...ofPage })

/** Without pages: clients of service discovery do not follow them. */
export const discoveryQuery = queryOf(ofProject)

export const projectDiscoveryQuery = queryOf({ follow: flag('Send the answer again after each change.') })

export const volumesQuery = queryOf({
  project: text('Only of this project.'),
  service: text('Only of this service.'),
  machine: text('Only of this machine.'),
  ...ofPage,
})

export const volumeQuery = queryOf({
  project: text('Project in which the volume name is looked up; default: `default`.'),
})

export const deleteVolumeQuery = queryOf({
  project: text('Project in which the volume name is looked up; default: `default`.'),
  force: flag('Confirm that the data are deleted; without it the request is refused.'),
})

const ofVolume = { project: text('Project in which the volume name is looked up; default: `default`.') }

const pauseAtMost = text(
  'Maximum number of seconds for which the users of the volume are paused, up to 3600; default: 60. Only with the consistency `paused`.',
)

export const backupQuery = queryOf({
  ...ofVolume,
  consistency: text('How the instance is treated meanwhile: `live`, `paused` or `stopped`; default: `live`.'),
  skipHook: flag('Skip `before_backup`: the volume is backed up without running it.'),
  pauseAtMost,
})

export const volumeExportQuery = queryOf({
  hold: text('Id of the move that the export belongs to.'),
  offset: text('Number of bytes that were received before; default: 0.'),
})

export const restoreQuery = queryOf({
  ...ofVolume,
  force: flag(
    'Overwrite a volume that is not empty; without it the request is refused unless the volume is empty.',
  ),
  sha256: text('SHA-256 of the backup; a backup with another one is refused.'),
  backup: text('Id of a scheduled backup, or a prefix of it, to restore; the request has no body then.'),
  machine: text(
    'Machine on which the volume is created if its slot has none yet; default: the emptiest machine that can take its instance.',
  ),
})

export const cloneQuery = queryOf({
  ...backupQuery.properties,
  to: text('The volume to copy to: its uuid, a prefix of it, or its name.'),
  force: flag(
    'Overwrite a volume that is not empty; without it the request is refused unless the volume is empty.',
  ),
  machine: text(
    'Machine on which the other volume is created if its slot has none yet; default: the emptiest machine that can take its instance.',
  ),
})

export const deliveriesQuery = queryOf({
  service: text('Only of this service.'),
  state: text('`queued`, `delivered` or `dead`.'),
  ...ofPage,
})

export const deleteServiceQuery = queryOf({
  force: flag('Stop running instances first.'),
  volumes: flag('Delete its named volumes and the anonymous volumes of its containers as well.'),
  join: flag('If it is being deleted already, answer with that task instead of refusing.'),
})

export const deleteProjectQuery = queryOf({ force: flag('Stop running instances first.') })

export const removeMetaQuery = queryOf({ cas: text('Refuse unless the key has this CAS id.') })

export const killQuery = queryOf({ signal: text('Name or number of the signal; default: SIGKILL.') })

export const recordQuery = queryOf({ key: text('The key in the store.') })

export const exportQuery = queryOf({ history: flag('Whether the export contains events and deliveries.') })

export const imageQuery = queryOf({ name: text('Name of the image as in a manifest.') })

export const fetchImageQuery = queryOf({
  name: text('Name of the image as in a unit.'),
  pull: text('`missing`, `always` or `never`; default: `missing`.'),
  deadline_ms: text('Time limit in milliseconds; default: 10 min.'),
})

export const entryQuery = queryOf(ofPage)

export const dnsQuery = queryOf({
  type: text('Record type; default: A.'),
})

const linesQuery = {
  follow: flag('Continue with new lines as they are written.'),
  since: text('An RFC 3339 time.'),
  tail: text('Number of last lines.'),
}

export const journalQuery = queryOf(linesQuery)

export const logsQuery = queryOf({
  ...linesQuery,
  previous: flag('Lines of ended instances instead, including removed ones, as long as their logs are kept.'),
})

export const eventsQuery = queryOf({
  follow: flag('Continue with new events as they happen.'),
  since: text("An RFC 3339 time, or an event's id."),
  until: text("An RFC 3339 time, or an event's id."),
  tail: text('Number of last events.'),
  project: text('Only of this project.'),
  service: text('Only of this service.'),
  machine: text('Only of this machine.'),
  kind: text('Kinds of events, separated by commas.'),
  by: text('Only of actors whose name contains this text.'),
})

export const detachQuery = queryOf({
  exec: text('Id from the header x-mariposa-exec of the answer to the exec.'),
})

const words = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description }))

const ofTerminal = {
  tty: flag('Run the program in a terminal.'),
  columns: text('Width of its terminal, in characters.'),
  rows: text('Height of its terminal, in lines.'),
  term: text('Type of its terminal.'),
}

export const runQuery = Type.Object(
  {
    argv: words('The command, one word per parameter; repeated.'),
    set: words('`KEY=VALUE`, a variable in addition to those of the service; repeated.'),
    ...ofTerminal,
  },
  { additionalProperties: false },
)

export const execQuery = Type.Object(
  {
    argv: words('The command, one word per parameter; repeated.'),
    user: text('User that the program runs as.'),
    join: flag('Attach to the program of an instance that runs once, instead of running another one.'),
    ...ofTerminal,
  },
  { additionalProperties: false },
)
