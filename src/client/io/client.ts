// The typed client of Mariposa's API: one method per path of the contract. Every method throws ClientError.
import type { IncomingHttpHeaders } from 'node:http'
import type {
  CompileRequest,
  CompileResponse,
  DeletedVolume,
  DeleteRequest,
  DeliveryBody,
  DeployRequest,
  DeployResponse,
  DiscoveryBody,
  DnsInstanceBody,
  DnsLookupBody,
  DrainBody,
  EntryBody,
  EventBody,
  ExecFrame,
  ExplainBody,
  ExplainedUnit,
  HealthBody,
  ImageMeaningBody,
  InstanceBody,
  LogRecord,
  MachineAdoptBody,
  MachineBody,
  MachineChangeRequest,
  MachineDetails,
  MachineImagesBody,
  MetaBody,
  MetaCountRequest,
  MetaImportRequest,
  MetaImportResponse,
  MetaSetRequest,
  MoveVolumeRequest,
  PlanResponse,
  PolicyBody,
  ProjectBody,
  ProjectDetails,
  PrometheusTarget,
  RecordBody,
  RegistryBody,
  RegistryLoginRequest,
  RegistryLoginResponse,
  RemovedRecord,
  RemoveRecordRequest,
  ReprovisionRequest,
  RevertRequest,
  RunBody,
  ScaleRequest,
  ScheduleBody,
  ScopeRequest,
  SecretRotateRequest,
  SecretRotateResponse,
  ServiceBody,
  ServiceDetails,
  StartRequest,
  StopRequest,
  TaskBody,
  TaskProgress,
  TasksResponse,
  TerminateRequest,
  TraefikBody,
  UnitBody,
  UnitChangeRequest,
  UnitChangeResponse,
  UnitDetails,
  UnitKillBody,
  UnitProgress,
  UnreadableBody,
  UseBody,
  VersionBody,
  VersionDetails,
  VersionOfService,
  VolumeBody,
  VolumeRestored,
  VolumesBody,
  WebhookBody,
  WebhookRetryRequest,
  WebhookRetryResponse,
  WebhookTestRequest,
  WebhookTestResponse,
} from '../../contract/contract.js'
import { execHeader, paths } from '../../contract/contract.js'
import type { Form } from '../../lib/form.js'
import type { DesiredState } from '../../model/unit.js'
import { ClientError, undecided } from '../client-error.js'
import { type Endpoint, parseEndpoint } from '../endpoint.js'
import { type Next, type Page, type PageQuery, pageParameters, withNext } from '../page.js'
import type { Credentials, HttpRequest, Query } from './http.js'
import { readJson, readText, send } from './http.js'
import { longPatience, type Patience } from './silence.js'
import { readJsonLines, readServerSentEvents } from './streams.js'
import { archiveOf, type VolumeArchive } from './volume-archive.js'

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

/** The API of a daemon, as methods. */
export interface Client {
  readonly endpoint: Endpoint
  /** Whether the daemon runs. */
  health(signal?: AbortSignal): Promise<HealthBody>
  /** Whether it can do all that is asked of it: `ok`, or why not. */
  ready(signal?: AbortSignal): Promise<HealthBody>
  /** The API's own description. */
  openapi(signal?: AbortSignal): Promise<OpenApiDocument>
  /** Of the daemon and of the instances on its machine, in Prometheus' text format. */
  metrics(signal?: AbortSignal): Promise<string>
  instanceMetrics(uuid: string, signal?: AbortSignal): Promise<string>
  /** What the Docker of the machine that is asked says that an image means. */
  imageMeaning(name: string, signal?: AbortSignal): Promise<ImageMeaningBody>
  /** Where instances tell their metrics. */
  prometheusTargets(project: string | undefined, signal?: AbortSignal): Promise<readonly PrometheusTarget[]>
  /** Services and their instances, as Traefik takes them. */
  traefikConfiguration(project: string | undefined, signal?: AbortSignal): Promise<TraefikBody>
  /** What runs in a project, for files made from it; with `follow` again after each change. */
  discovery(project: string, follow: boolean, signal?: AbortSignal): AsyncIterable<DiscoveryBody>
  /** Who registries of images are asked as. */
  registries(signal?: AbortSignal, page?: PageQuery): Promise<Page<RegistryBody>>
  logInToRegistry(
    host: string,
    request: RegistryLoginRequest,
    signal?: AbortSignal,
  ): Promise<RegistryLoginResponse>
  logOutOfRegistry(host: string, signal?: AbortSignal): Promise<{ readonly host: string }>
  version(signal?: AbortSignal, patience?: Patience): Promise<VersionBody>
  machines(signal?: AbortSignal, page?: PageQuery): Promise<Page<MachineBody>>
  /** What units use of their machines, now. */
  use(signal?: AbortSignal): Promise<UseBody>
  /** Records that the daemon cannot read. */
  unreadable(signal?: AbortSignal, page?: PageQuery): Promise<Page<UnreadableBody>>
  /** A record as the store has it. */
  record(key: string, signal?: AbortSignal): Promise<RecordBody>
  /** The lines of an export, parsed; without `history` events and deliveries are left out. */
  exportRecords(history: boolean, signal?: AbortSignal): AsyncIterable<unknown>
  removeRecord(request: RemoveRecordRequest, signal?: AbortSignal): Promise<RemovedRecord>
  /** By id, the beginning of one, or hostname. */
  machine(id: string, signal?: AbortSignal): Promise<MachineDetails>
  /** Forgets a machine that is down. */
  removeMachine(id: string, signal?: AbortSignal): Promise<MachineDetails>
  changeMachine(id: string, request: MachineChangeRequest, signal?: AbortSignal): Promise<MachineDetails>
  /** How a machine is being emptied, until it is or can be no further. */
  drain(id: string, signal?: AbortSignal): AsyncIterable<DrainBody>
  units(signal?: AbortSignal, page?: PageQuery): Promise<Page<UnitBody>>
  unit(name: string, signal?: AbortSignal): Promise<UnitDetails>
  changeUnits(request: UnitChangeRequest, signal?: AbortSignal): Promise<UnitChangeResponse>
  /** Looks at units until each is as wanted (null: gone) or will not be; the first look comes at once. */
  unitProgress(
    names: readonly string[],
    wanted: DesiredState | null,
    signal?: AbortSignal,
  ): AsyncIterable<UnitProgress>
  unitJournal(name: string, query: LogsQuery, signal?: AbortSignal): AsyncIterable<LogRecord>
  /** Of one project, or of all. */
  tasks(project?: string, signal?: AbortSignal, page?: PageQuery): Promise<Page<TaskBody>>
  terminate(uuid: string, request: TerminateRequest, signal?: AbortSignal): Promise<TasksResponse>
  changeScope(
    project: string,
    verb: 'freeze' | 'unfreeze' | 'release',
    request: ScopeRequest,
    signal?: AbortSignal,
  ): Promise<TasksResponse>
  task(uuid: string, signal?: AbortSignal): Promise<TaskBody>
  /** Looks at a task until it is over; the first look comes at once. */
  taskProgress(uuid: string, signal?: AbortSignal): AsyncIterable<TaskProgress>
  /** The history; with `follow` also what happens from now on. */
  events(query: EventsQuery, signal?: AbortSignal): AsyncIterable<EventBody>
  compile(project: string, request: CompileRequest, signal?: AbortSignal): Promise<CompileResponse>
  /** What a deploy would change; changes nothing. */
  plan(project: string, request: DeployRequest, signal?: AbortSignal): Promise<PlanResponse>
  deploy(project: string, request: DeployRequest, signal?: AbortSignal): Promise<DeployResponse>
  scale(project: string, request: ScaleRequest, signal?: AbortSignal): Promise<TasksResponse>
  projects(signal?: AbortSignal, page?: PageQuery): Promise<Page<ProjectBody>>
  project(project: string, signal?: AbortSignal): Promise<ProjectDetails>
  stopProject(project: string, signal?: AbortSignal): Promise<TasksResponse>
  startProject(project: string, signal?: AbortSignal): Promise<TasksResponse>
  deleteProject(project: string, force: boolean, signal?: AbortSignal): Promise<TasksResponse>
  services(project: string, signal?: AbortSignal, page?: PageQuery): Promise<Page<ServiceBody>>
  service(project: string, name: string, signal?: AbortSignal): Promise<ServiceDetails>
  stop(project: string, name: string, request: StopRequest, signal?: AbortSignal): Promise<TasksResponse>
  start(project: string, name: string, request: StartRequest, signal?: AbortSignal): Promise<TasksResponse>
  revert(project: string, name: string, request: RevertRequest, signal?: AbortSignal): Promise<TasksResponse>
  reprovision(
    project: string,
    name: string,
    request: ReprovisionRequest,
    signal?: AbortSignal,
  ): Promise<TasksResponse>
  versions(
    project: string,
    name: string,
    signal?: AbortSignal,
    page?: PageQuery,
  ): Promise<Page<VersionOfService>>
  /** `word` is a version's uuid, the beginning of that, or `service@ordinal`. */
  serviceVersion(project: string, word: string, signal?: AbortSignal): Promise<VersionDetails>
  delete(project: string, name: string, request: DeleteRequest, signal?: AbortSignal): Promise<TasksResponse>
  /** Of one service, or of all of the project. */
  instances(
    project: string,
    service: string | null,
    signal?: AbortSignal,
    page?: PageQuery,
  ): Promise<Page<InstanceBody>>
  meta(project: string, signal?: AbortSignal, page?: PageQuery): Promise<Page<MetaBody>>
  metaKey(project: string, key: string, signal?: AbortSignal): Promise<MetaBody>
  metaSet(project: string, key: string, request: MetaSetRequest, signal?: AbortSignal): Promise<MetaBody>
  metaRemove(
    project: string,
    key: string,
    cas: string | undefined,
    signal?: AbortSignal,
  ): Promise<{ readonly key: string }>
  metaCount(
    project: string,
    key: string,
    verb: 'incr' | 'decr',
    request: MetaCountRequest,
    signal?: AbortSignal,
  ): Promise<MetaBody>
  metaImport(project: string, request: MetaImportRequest, signal?: AbortSignal): Promise<MetaImportResponse>
  policy(signal?: AbortSignal): Promise<PolicyBody>
  rotateSecrets(request: SecretRotateRequest, signal?: AbortSignal): Promise<SecretRotateResponse>
  schedules(
    project: string,
    service: string | undefined,
    signal?: AbortSignal,
    page?: PageQuery,
  ): Promise<Page<ScheduleBody>>
  dnsInstances(
    project: string,
    service: string | undefined,
    signal?: AbortSignal,
    page?: PageQuery,
  ): Promise<Page<DnsInstanceBody>>
  dnsLookup(name: string, type: string, signal?: AbortSignal): Promise<DnsLookupBody>
  /** What the world reaches of the services of a project. */
  entry(project: string, signal?: AbortSignal, page?: PageQuery): Promise<Page<EntryBody>>
  runs(
    project: string,
    service: string | undefined,
    signal?: AbortSignal,
    page?: PageQuery,
  ): Promise<Page<RunBody>>
  webhooks(
    project: string,
    service: string | undefined,
    signal?: AbortSignal,
    page?: PageQuery,
  ): Promise<Page<WebhookBody>>
  deliveries(
    project: string,
    query: { readonly service?: string | undefined; readonly state?: string | undefined },
    signal?: AbortSignal,
    page?: PageQuery,
  ): Promise<Page<DeliveryBody>>
  webhookTest(
    project: string,
    request: WebhookTestRequest,
    signal?: AbortSignal,
  ): Promise<WebhookTestResponse>
  webhookRetry(
    project: string,
    request: WebhookRetryRequest,
    signal?: AbortSignal,
  ): Promise<WebhookRetryResponse>
  logs(project: string, name: string, query: LogsQuery, signal?: AbortSignal): AsyncIterable<LogRecord>
  explain(project: string, name: string, signal?: AbortSignal): Promise<ExplainBody>
  explainUnit(name: string, signal?: AbortSignal): Promise<ExplainedUnit>
  /** What runs on a machine that the cluster knows nothing of; `stop` ends it. */
  unknownUnits(machine: string, stop: boolean, signal?: AbortSignal): Promise<MachineAdoptBody>
  /** Named volumes of all projects and machines, or of those that are named. */
  volumes(of: VolumesQuery, signal?: AbortSignal, page?: PageQuery): Promise<VolumesBody & Next>
  /** One by its uuid, the beginning of that, or its name in a project. */
  volume(project: string, word: string, signal?: AbortSignal): Promise<VolumeBody>
  /** Deletes one for good. */
  deleteVolume(project: string, word: string, force: boolean, signal?: AbortSignal): Promise<DeletedVolume>
  /** What is in one, as it is read. */
  backUpVolume(
    project: string,
    word: string,
    consistency: string,
    signal?: AbortSignal,
  ): Promise<VolumeArchive>
  /** What the daemon of the machine asks for that a volume moves to: the whole of it as a tar archive. `hold`: the move's id. */
  exportVolume(word: string, hold: string, signal?: AbortSignal): Promise<VolumeArchive>
  /** Has the volumes of a slot move, or ends that; does not wait for it. */
  moveVolume(
    project: string,
    word: string,
    request: MoveVolumeRequest,
    signal?: AbortSignal,
  ): Promise<VolumeBody>
  /** Puts what a backup holds in the place of what one has. */
  restoreVolume(
    project: string,
    word: string,
    how: { readonly force: boolean; readonly sha256: string | null },
    archive: NodeJS.ReadableStream,
    signal?: AbortSignal,
  ): Promise<VolumeRestored>
  /** The images that the daemon of a machine holds or has fetched. */
  machineImages(machine: string, signal?: AbortSignal): Promise<MachineImagesBody>
  /** Sends a signal to all processes of a unit, on every machine that has it. */
  killUnit(name: string, how: string, signal?: AbortSignal): Promise<UnitKillBody>
  /** Runs a program beside an instance; `stdin` is sent while frames come in. With a terminal, `onId` is told its id. */
  exec(
    project: string,
    instance: string,
    query: ExecQuery,
    stdin: NodeJS.ReadableStream,
    signal?: AbortSignal,
    onId?: (exec: string) => void,
  ): AsyncIterable<ExecFrame>
  /** Runs a program once as an instance of a service, which is taken away then. */
  run(
    project: string,
    service: string,
    query: RunQuery,
    stdin: NodeJS.ReadableStream,
    signal?: AbortSignal,
  ): AsyncIterable<ExecFrame>
  /** Leaves a program in its terminal, whatever is on the way to it. */
  detach(project: string, instance: string, exec: string, signal?: AbortSignal): Promise<unknown>
}

/**
 * A client of the daemon at `at`: `unix:///path`, `http://host:port` or `https://host:port`. Connects with each call, not
 * before. Throws ClientError for another address.
 */
export function connect(at: string | Endpoint, credentials: Credentials = {}): Client {
  const endpoint = typeof at === 'string' ? endpointOf(at) : at
  const ask = async (request: HttpRequest) => send(endpoint, credentials, request)
  const json = async <T>(form: Form<T>, request: HttpRequest, signal?: AbortSignal): Promise<T> =>
    readJson<T>(await ask(withSignal(request, signal)), form, endpoint, credentials, signal)
  const get = <T>(form: Form<T>, path: string, signal?: AbortSignal, query: Query = {}) =>
    json<T>(form, { method: 'GET', path, query }, signal)
  /** Of a list, all or a page. */
  const list = async <T extends object>(
    form: Form<T>,
    path: string,
    signal?: AbortSignal,
    page: PageQuery = {},
    query: Query = {},
  ): Promise<T & Next> => {
    const request = { method: 'GET', path, query: { ...query, ...pageParameters(page) } } as const
    const answer = await ask(withSignal(request, signal))
    const link = [answer.headers.link].flat()[0]
    return withNext(await readJson<T>(answer, form, endpoint, credentials, signal), link)
  }
  const text = async (path: string, signal?: AbortSignal): Promise<string> => {
    const answer = await ask(withSignal({ method: 'GET', path }, signal))
    return await readText(answer, endpoint, credentials, signal)
  }
  const post = <T>(form: Form<T>, path: string, body: unknown, signal?: AbortSignal) =>
    json<T>(form, { method: 'POST', path, json: body }, signal)
  /** Asks for a change. `look` is the command that shows whether it was made, where no answer comes. */
  const change = async <T>(
    form: Form<T>,
    look: string,
    request: HttpRequest,
    signal?: AbortSignal,
  ): Promise<T> => {
    credentials.onChange?.()
    try {
      return await json<T>(form, request, signal)
    } catch (error) {
      throw undecided(error, look)
    }
  }
  const changeBy = <T>(form: Form<T>, look: string, path: string, body: unknown, signal?: AbortSignal) =>
    change<T>(form, look, { method: 'POST', path, json: body }, signal)
  async function* lines<T>(
    form: Form<T>,
    request: HttpRequest,
    signal?: AbortSignal,
    onBegin?: (headers: IncomingHttpHeaders) => void,
  ): AsyncGenerator<T, void, undefined> {
    const answer = await ask(withSignal(request, signal))
    onBegin?.(answer.headers)
    yield* readJsonLines<T>(answer, form, endpoint, credentials)
  }
  async function* sse<T>(
    form: Form<T>,
    request: HttpRequest,
    signal?: AbortSignal,
  ): AsyncGenerator<T, void, undefined> {
    yield* readServerSentEvents<T>(await ask(withSignal(request, signal)), form, endpoint, credentials)
  }
  return {
    endpoint,
    health: (signal) => get(by('status'), paths.health, signal),
    ready: (signal) =>
      json(by('status'), { method: 'GET', path: paths.ready, unavailableIsAnswer: true }, signal),
    openapi: (signal) => get(by('openapi'), paths.openapi, signal),
    metrics: (signal) => text(paths.metrics, signal),
    instanceMetrics: (uuid, signal) => text(paths.instanceMetrics(uuid), signal),
    imageMeaning: (name, signal) => get(anything, paths.imageMeaning, signal, { name }),
    prometheusTargets: (project, signal) =>
      get(each('targets'), paths.discoveryPrometheus, signal, { project }),
    traefikConfiguration: (project, signal) => get(anything, paths.discoveryTraefik, signal, { project }),
    discovery: (project, follow, signal) =>
      sse(
        by('services'),
        { method: 'GET', path: paths.discovery(project), query: follow ? { follow: 'true' } : {} },
        signal,
      ),
    registries: (signal, page) => list(each('host'), paths.registries, signal, page),
    logInToRegistry: (host, request, signal) =>
      change(
        by('registry'),
        'mariposa registry list',
        { method: 'PUT', path: paths.registry(host), json: request },
        signal,
      ),
    logOutOfRegistry: (host, signal) =>
      change(by('host'), 'mariposa registry list', { method: 'DELETE', path: paths.registry(host) }, signal),
    version: (signal, patience) =>
      json(
        by('version'),
        { method: 'GET', path: paths.version, ...(patience !== undefined && { patience }) },
        signal,
      ),
    machines: (signal, page) => list(each('id'), paths.machines, signal, page),
    use: (signal) => get(by('machines'), paths.use, signal),
    unreadable: (signal, page) => list(each('key'), paths.unreadable, signal, page),
    record: (key, signal) => get(by('key'), paths.record, signal, { key }),
    exportRecords: (history, signal) =>
      lines(
        anything,
        { method: 'GET', path: paths.exportRecords, query: history ? {} : { history: 'false' } },
        signal,
      ),
    removeRecord: (request, signal) =>
      changeBy(by('key'), 'mariposa store check', paths.removeRecord, request, signal),
    machine: (id, signal) => get(by('id'), paths.machine(id), signal),
    changeMachine: (id, request, signal) =>
      change(
        by('id'),
        lookAt.machine(id),
        { method: 'PATCH', path: paths.machine(id), json: request },
        signal,
      ),
    removeMachine: (id, signal) =>
      change(by('id'), lookAt.machine(id), { method: 'DELETE', path: paths.machine(id) }, signal),
    drain: (id, signal) => sse(by('machine'), { method: 'GET', path: paths.drain(id) }, signal),
    units: (signal, page) => list(each('name'), paths.units, signal, page),
    unit: (name, signal) => get(by('name'), paths.unit(name), signal),
    changeUnits: (request, signal) => changeBy(by('units'), lookAt.units, paths.unitChanges, request, signal),
    unitProgress: (names, wanted, signal) =>
      sse(by('units'), { method: 'POST', path: paths.unitProgress, json: { units: names, wanted } }, signal),
    unitJournal: (name, query, signal) =>
      lines(by('line'), { method: 'GET', path: paths.unitJournal(name), query: logsQuery(query) }, signal),
    tasks: (project, signal, page) => list(each('uuid'), paths.tasks, signal, page, { project }),
    terminate: (uuid, request, signal) =>
      changeBy(by('tasks'), 'mariposa queue list', paths.terminate(uuid), request, signal),
    changeScope: (project, verb, request, signal) =>
      changeBy(by('tasks'), lookAt.tasks(project), paths[verb](project), request, signal),
    task: (uuid, signal) => get(by('uuid'), paths.task(uuid), signal),
    taskProgress: (uuid, signal) =>
      sse(by('task'), { method: 'GET', path: paths.taskProgress(uuid) }, signal),
    events: (query, signal) =>
      sse(by('id'), { method: 'GET', path: paths.events, query: eventsQuery(query) }, signal),
    compile: (project, request, signal) => post(by('services'), paths.compile(project), request, signal),
    plan: (project, request, signal) => post(by('services'), paths.plan(project), request, signal),
    deploy: (project, request, signal) =>
      changeBy(by('services'), lookAt.tasks(project), paths.deploy(project), request, signal),
    scale: (project, request, signal) =>
      changeBy(by('tasks'), lookAt.tasks(project), paths.scale(project), request, signal),
    projects: (signal, page) => list(each('name'), paths.projects, signal, page),
    project: (project, signal) => get(by('name'), paths.project(project), signal),
    stopProject: (project, signal) =>
      changeBy(by('tasks'), lookAt.tasks(project), paths.stopProject(project), {}, signal),
    startProject: (project, signal) =>
      changeBy(by('tasks'), lookAt.tasks(project), paths.startProject(project), {}, signal),
    deleteProject: (project, force, signal) =>
      change(
        by('tasks'),
        lookAt.tasks(project),
        { method: 'DELETE', path: paths.project(project), query: force ? { force: 'true' } : {} },
        signal,
      ),
    services: (project, signal, page) => list(each('name'), paths.services(project), signal, page),
    service: (project, name, signal) => get(by('name'), paths.service(project, name), signal),
    stop: (project, name, request, signal) =>
      changeBy(by('tasks'), lookAt.tasks(project), paths.stop(project, name), request, signal),
    start: (project, name, request, signal) =>
      changeBy(by('tasks'), lookAt.tasks(project), paths.start(project, name), request, signal),
    revert: (project, name, request, signal) =>
      changeBy(by('tasks'), lookAt.tasks(project), paths.revert(project, name), request, signal),
    reprovision: (project, name, request, signal) =>
      changeBy(by('tasks'), lookAt.tasks(project), paths.reprovision(project, name), request, signal),
    versions: (project, name, signal, page) =>
      list(each('uuid'), paths.versions(project, name), signal, page),
    serviceVersion: (project, word, signal) => get(by('uuid'), paths.versionNamed(project, word), signal),
    delete: (project, name, { force, volumes, join }, signal) => {
      const query = {
        ...(force && { force: 'true' }),
        ...(volumes && { volumes: 'true' }),
        ...(join && { join: 'true' }),
      }
      return change(
        by('tasks'),
        lookAt.tasks(project),
        { method: 'DELETE', path: paths.service(project, name), query },
        signal,
      )
    },
    instances: (project, service, signal, page) =>
      list(each('name'), paths.instances(project), signal, page, { service: service ?? undefined }),
    meta: (project, signal, page) => list(each('key'), paths.meta(project), signal, page),
    metaKey: (project, key, signal) => get(by('key'), paths.metaKey(project, key), signal),
    metaSet: (project, key, request, signal) =>
      change(
        by('key'),
        lookAt.meta(project),
        { method: 'PUT', path: paths.metaKey(project, key), json: request },
        signal,
      ),
    metaRemove: (project, key, cas, signal) =>
      change(
        by('key'),
        lookAt.meta(project),
        { method: 'DELETE', path: paths.metaKey(project, key), query: { cas } },
        signal,
      ),
    metaCount: (project, key, verb, request, signal) =>
      changeBy(
        by('key'),
        lookAt.meta(project),
        verb === 'incr' ? paths.metaIncr(project, key) : paths.metaDecr(project, key),
        request,
        signal,
      ),
    metaImport: (project, request, signal) =>
      changeBy(by('set'), lookAt.meta(project), paths.metaImport(project), request, signal),
    policy: (signal) => get(by('policy'), paths.policy, signal),
    rotateSecrets: (request, signal) =>
      changeBy(by('fingerprint'), lookAt.secrets, paths.rotateSecrets, request, signal),
    schedules: (project, service, signal, page) =>
      list(each('service'), paths.schedules(project), signal, page, { service }),
    dnsInstances: (project, service, signal, page) =>
      list(each('uuid'), paths.dnsInstances(project), signal, page, { service }),
    entry: (project, signal, page) => list(each('path'), paths.entry(project), signal, page),
    dnsLookup: (name, type, signal) => get(by('name'), paths.dnsName(name), signal, { type }),
    runs: (project, service, signal, page) =>
      list(each('dueAt'), paths.runs(project), signal, page, { service }),
    webhooks: (project, service, signal, page) =>
      list(each('url'), paths.webhooks(project), signal, page, { service }),
    deliveries: (project, query, signal, page) =>
      list(each('id'), paths.deliveries(project), signal, page, { ...query }),
    webhookTest: (project, request, signal) =>
      changeBy(each('url'), lookAt.deliveries(project), paths.webhookTest(project), request, signal),
    webhookRetry: (project, request, signal) =>
      changeBy(by('retried'), lookAt.deliveries(project), paths.webhookRetry(project), request, signal),
    logs: (project, name, query, signal) =>
      lines(by('line'), { method: 'GET', path: paths.logs(project, name), query: logsQuery(query) }, signal),
    explain: (project, name, signal) => get(by('instances'), paths.explain(project, name), signal),
    unknownUnits: (machine, stop, signal) =>
      stop
        ? change(
            by('machine'),
            lookAt.unknown(machine),
            { method: 'POST', path: paths.machineAdopt(machine) },
            signal,
          )
        : get(by('machine'), paths.machineAdopt(machine), signal),
    volumes: (of, signal, page) => list(by('volumes'), paths.volumes, signal, page, { ...of }),
    volume: (project, word, signal) => get(by('uuid'), paths.volume(word), signal, { project }),
    backUpVolume: async (project, word, consistency, signal) => {
      const request = { method: 'POST', path: paths.volumeBackup(word), patience: longPatience } as const
      const answer = await ask(withSignal({ ...request, query: { project, consistency } }, signal))
      return archiveOf(answer, endpoint, credentials)
    },
    exportVolume: async (word, hold, signal) => {
      const request = { method: 'POST', path: paths.volumeExport(word), patience: longPatience } as const
      const answer = await ask(withSignal({ ...request, query: { hold } }, signal))
      return archiveOf(answer, endpoint, credentials)
    },
    moveVolume: (project, word, request, signal) =>
      change(
        by('uuid'),
        lookAt.volumes,
        { method: 'POST', path: paths.volumeMove(word), query: { project }, json: request },
        signal,
      ),
    restoreVolume: (project, word, { force, sha256 }, archive, signal) =>
      json(
        by('sha256'),
        {
          ...{ method: 'POST', path: paths.volumeRestore(word), body: archive, patience: longPatience },
          query: { project, ...(force && { force: 'true' }), ...(sha256 !== null && { sha256 }) },
        },
        signal,
      ),
    deleteVolume: (project, word, force, signal) =>
      change(
        by('uuid'),
        lookAt.volumes,
        { method: 'DELETE', path: paths.volume(word), query: { project, ...(force && { force: 'true' }) } },
        signal,
      ),
    machineImages: (machine, signal) => get(by('images'), paths.machineImages(machine), signal),
    killUnit: (name, how, signal) =>
      change(
        by('unit'),
        lookAt.unit(name),
        { method: 'POST', path: paths.unitKill(name), query: { signal: how } },
        signal,
      ),
    explainUnit: (name, signal) => get(by('name'), paths.unitExplain(name), signal),
    exec: (project, instance, query, stdin, signal, onId) =>
      lines(
        anything,
        { method: 'POST', path: paths.exec(project, instance), query: execQuery(query), body: stdin },
        signal,
        ({ [execHeader]: id }) => (typeof id === 'string' ? onId?.(id) : undefined),
      ),
    run: (project, service, { set, ...query }, stdin, signal) =>
      lines(
        anything,
        {
          ...{ method: 'POST', path: paths.run(project, service), body: stdin },
          query: { ...execQuery(query), set },
        },
        signal,
      ),
    detach: (project, instance, exec, signal) =>
      json(anything, { method: 'POST', path: paths.detach(project, instance), query: { exec } }, signal),
  }
}

function endpointOf(text: string): Endpoint {
  const endpoint = parseEndpoint(text)
  if (endpoint !== null) return endpoint
  throw new ClientError(null, {
    code: 'client/bad-endpoint',
    message: `"${text}" is no endpoint`,
    hint: 'give unix:///path, http://host:port or https://host:port',
    details: [],
  })
}

/** An object that has a key, which all versions of the daemon have sent. */
function by<Key extends string>(key: Key): { readonly key: Key } {
  return { key }
}

/** A list of such. */
function each<Key extends string>(key: Key): { readonly each: Key } {
  return { each: key }
}

const anything = { key: null } as const

/** The commands that show whether a change was made. */
const lookAt = {
  tasks: (project: string) => `mariposa queue list -j ${project}`,
  meta: (project: string) => `mariposa meta list -j ${project}`,
  deliveries: (project: string) => `mariposa webhook deliveries -j ${project}`,
  secrets: 'mariposa machine list -l',
  units: 'mariposa unit files',
  unit: (name: string) => `mariposa unit status ${name}`,
  machine: (id: string) => `mariposa machine show ${id}`,
  volumes: 'mariposa volume list --all-projects',
  unknown: (machine: string) => `mariposa machine adopt ${machine}`,
} as const

function execQuery({ argv, user, terminal }: ExecQuery): Query {
  if (terminal === undefined) return { argv, user }
  const { columns, rows, type } = terminal
  return { argv, user, tty: 'true', columns: String(columns), rows: String(rows), term: type }
}

function withSignal(request: HttpRequest, signal: AbortSignal | undefined): HttpRequest {
  return signal === undefined ? request : { ...request, signal }
}

function logsQuery(query: LogsQuery): Query {
  return {
    follow: query.follow ? 'true' : undefined,
    since: query.since,
    tail: query.tail === undefined ? undefined : String(query.tail),
    previous: query.previous === true ? 'true' : undefined,
  }
}

function eventsQuery({ tail, follow, ...query }: EventsQuery): Query {
  return { ...query, tail: tail === undefined ? undefined : String(tail), follow: follow ? 'true' : 'false' }
}
