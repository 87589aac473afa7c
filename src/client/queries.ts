// What is asked for by parameters of a request: types of what callers give, and the parameters that it comes to.

/** Parameters of a request; a list repeats its name, undefined leaves it out. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>

/** Which lines of logs are asked for. */
export interface LogsQuery {
  readonly follow: boolean
  /** RFC 3339. */
  readonly since?: string | undefined
  readonly tail?: number | undefined
  /** Of instances that have ended, in place of those that are there. */
  readonly previous?: boolean
}

/** Which events are asked for. */
export interface EventsQuery {
  readonly project?: string | undefined
  readonly service?: string | undefined
  readonly machine?: string | undefined
  /** Kinds, between commas. */
  readonly kind?: string | undefined
  readonly by?: string | undefined
  /** RFC 3339, or an event's id. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly tail?: number | undefined
  readonly follow: boolean
}

export interface ExecQuery {
  readonly argv: readonly string[]
  readonly user?: string | undefined
  /** Gives the program a terminal: then what is sent is made of ExecInput. */
  readonly terminal?: { readonly columns: number; readonly rows: number; readonly type: string } | undefined
}

export interface RunQuery extends Omit<ExecQuery, 'user'> {
  /** `KEY=VALUE`: variables beside those of the service. */
  readonly set?: readonly string[]
}

/** Which named volumes are asked for. */
export interface VolumesQuery {
  readonly project?: string
  readonly service?: string
  readonly machine?: string
}

/** As far as it is told apart here: it is for programs that read such documents. */
export interface OpenApiDocument {
  /** The version of OpenAPI. */
  readonly openapi: string
  readonly info: Readonly<Record<string, unknown>>
  readonly paths: Readonly<Record<string, unknown>>
  readonly components: Readonly<Record<string, unknown>>
}

export function execQuery({ argv, user, terminal }: ExecQuery): Query {
  if (terminal === undefined) return { argv, user }
  const { columns, rows, type } = terminal
  return { argv, user, tty: 'true', columns: String(columns), rows: String(rows), term: type }
}

export function logsQuery(query: LogsQuery): Query {
  return {
    follow: query.follow ? 'true' : undefined,
    since: query.since,
    tail: query.tail === undefined ? undefined : String(query.tail),
    previous: query.previous === true ? 'true' : undefined,
  }
}

export function eventsQuery({ tail, follow, ...query }: EventsQuery): Query {
  return { ...query, tail: tail === undefined ? undefined : String(tail), follow: follow ? 'true' : 'false' }
}
