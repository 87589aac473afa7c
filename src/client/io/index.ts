/// <reference types="node" preserve="true" />
// What other programs import as `mariposa/client`: the client that our own command line uses.

export type * from '../../contract/contract.js'
export { defaultProject } from '../../contract/contract.js'
export { ClientError, isPassing } from '../client-error.js'
export type { Endpoint } from '../endpoint.js'
export { parseEndpoint } from '../endpoint.js'
export type { Next, Page, PageQuery } from '../page.js'
export type {
  EventsQuery,
  ExecQuery,
  LogsQuery,
  OpenApiDocument,
  RunQuery,
  VolumesQuery,
} from '../queries.js'
export type { Client } from './client.js'
export { connect } from './client.js'
export type { Credentials } from './http.js'
export { inPages } from './in-pages.js'
export type { Listener, Patience, Silence } from './silence.js'
export type { ToldOfArchive, VolumeArchive } from './volume-archive.js'
