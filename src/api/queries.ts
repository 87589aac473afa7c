// The parameters in the addresses of requests as JSON Schema. A route without one of these takes none.
import { Type } from 'typebox'

const text = Type.Optional(Type.String())
const flag = Type.Optional(Type.Enum(['true', 'false']))

function queryOf<T extends Record<string, typeof text | typeof flag>>(known: T) {
  return Type.Object(known, { additionalProperties: false })
}

export const noQuery = queryOf({})

export const ofServiceQuery = queryOf({ service: text })

export const ofProjectQuery = queryOf({ project: text })

export const deliveriesQuery = queryOf({ service: text, state: text })

export const deleteServiceQuery = queryOf({ force: flag, volumes: flag, join: flag })

export const deleteProjectQuery = queryOf({ force: flag })

export const removeMetaQuery = queryOf({ cas: text })

export const killQuery = queryOf({ signal: text })

export const recordQuery = queryOf({ key: text })

export const imageQuery = queryOf({ name: text })

export const logsQuery = queryOf({ follow: flag, since: text, tail: text })

export const eventsQuery = queryOf({
  follow: flag,
  since: text,
  until: text,
  tail: text,
  project: text,
  service: text,
  machine: text,
  kind: text,
  by: text,
})

export const detachQuery = queryOf({ exec: text })

export const execQuery = Type.Object(
  {
    argv: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
    user: text,
    tty: flag,
    columns: text,
    rows: text,
    term: text,
  },
  { additionalProperties: false },
)
