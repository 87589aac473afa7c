// What each route of the API is for and what it answers with, by method and address. What it takes stands with the route
// itself, which checks it: see openapi.ts.
import { type TSchema, Type } from 'typebox'
import * as deploys from './shapes/deploys.js'
import * as discovery from './shapes/discovery.js'
import * as dns from './shapes/dns.js'
import * as entry from './shapes/entry.js'
import { logRecord } from './shapes/errors.js'
import * as history from './shapes/history.js'
import * as machines from './shapes/machines.js'
import * as meta from './shapes/meta.js'
import { imageMeaning } from './shapes/model.js'
import * as records from './shapes/records.js'
import * as registries from './shapes/registries.js'
import * as services from './shapes/services.js'
import * as starts from './shapes/starts.js'
import * as tasks from './shapes/tasks.js'
import * as units from './shapes/units.js'
import * as volumeBackups from './shapes/volume-backups.js'
import * as volumes from './shapes/volumes.js'
import { anything, either, list, mapOf, part, text } from './shapes/words.js'

/** One way to ask, and what comes of it. */
export interface Operation {
  /** The same word never stands for two. */
  readonly id: string
  readonly summary: string
  readonly answer: Answer
  /** Of a body that is no JSON. */
  readonly input?: Answer
}

/** A body; of those that go on, `schema` is that of each of its values. */
export interface Answer {
  readonly type:
    | 'application/json'
    | 'application/x-ndjson'
    | 'text/event-stream'
    | 'text/plain'
    | 'application/zstd'
    | 'application/x-tar'
  readonly schema: TSchema
}

const json = (schema: TSchema): Answer => ({ type: 'application/json', schema })
const lines = (schema: TSchema): Answer => ({ type: 'application/x-ndjson', schema })
const stream = (schema: TSchema): Answer => ({ type: 'text/event-stream', schema })
const metrics: Answer = { type: 'text/plain', schema: text("Prometheus' text format.") }
const archive: Answer = { type: 'application/zstd', schema: text('A tar archive, compressed by zstd.') }
const changed = json(tasks.tasksResponse)

const project = '/v1/projects/:project'
const service = `${project}/services/:service`
const key = `${project}/meta/:key`

export const operations: Readonly<Record<string, Operation>> = {
  'GET /healthz': is('health', 'Says that the daemon runs.', json(machines.healthBody)),
  'GET /readyz': is(
    'ready',
    'Says whether the daemon can do all that is asked of it; 503 where it cannot.',
    json(machines.healthBody),
  ),
  'GET /metrics': is('metrics', 'Metrics of all instances on this machine, and of the daemon.', metrics),
  'GET /v1/:uuid/metrics': is('instanceMetrics', 'Metrics of an instance on this machine.', metrics),
  'GET /v1/openapi.json': is('openapi', 'This document.', json(mapOf(anything()))),
  'GET /v1/version': is('version', 'The version of the daemon, and who leads.', json(machines.versionBody)),
  'GET /v1/image-meaning': is(
    'imageMeaning',
    "What this machine's Docker says that an image means.",
    json(imageMeaning),
  ),
  'GET /v1/events': is(
    'events',
    'The history; newline-separated JSON for who accepts application/x-ndjson.',
    stream(history.eventBody),
  ),
  'GET /v1/use': is('use', 'What units use of their machines, now.', json(machines.useBody)),
  'GET /v1/volumes': is(
    'volumes',
    'The named volumes of all machines, and the machines that do not tell.',
    json(volumes.volumesBody),
  ),
  'GET /v1/volumes/:volume': is(
    'volume',
    'A named volume, by its uuid, the beginning of one, or its name.',
    json(volumes.volumeBody),
  ),
  'DELETE /v1/volumes/:volume': is(
    'deleteVolume',
    'Deletes a named volume that nothing has and that its service does not name.',
    json(volumes.deletedVolume),
  ),
  'POST /v1/volumes/:volume/backup': is(
    'backUpVolume',
    'What is in a named volume. The trailer x-mariposa-sha256 follows a whole one; without it the archive has broken off.',
    archive,
  ),
  'POST /v1/volumes/:volume/restore': {
    ...is(
      'restoreVolume',
      'Puts what a backup holds in the place of what a named volume has; the instance of its slot is stopped meanwhile.',
      json(volumes.volumeRestored),
    ),
    input: archive,
  },
  'POST /v1/volumes/:volume/clone': is(
    'cloneVolume',
    'Puts what is in a named volume in the place of what another one has; that is made where its slot has none yet.',
    json(volumes.volumeCloned),
  ),
  'POST /v1/volumes/:volume/move': is(
    'moveVolume',
    'Has the volumes of a slot move to another machine, or ends that; the slot stays empty until they are there.',
    json(volumes.volumeBody),
  ),
  'POST /v1/volumes/:volume/export': is(
    'exportVolume',
    'What the daemon of the machine asks for that a volume moves to. The trailer x-mariposa-sha256 is of all of it, also of what is behind an offset.',
    { type: 'application/x-tar', schema: text('A tar archive.') },
  ),
  'GET /v1/machines': is('machines', 'All machines.', json(list(machines.machineBody))),
  'GET /v1/machines/:id': is(
    'machine',
    'A machine, by its id, the beginning of one, or its hostname.',
    json(machines.machineDetails),
  ),
  'PATCH /v1/machines/:id': is(
    'changeMachine',
    'Cordons or drains a machine, or changes its metadata.',
    json(machines.machineDetails),
  ),
  'DELETE /v1/machines/:id': is(
    'removeMachine',
    'Forgets a machine that is down; answers with what it was.',
    json(machines.machineDetails),
  ),
  'GET /v1/machines/:id/drain': is(
    'drain',
    'How a machine is being emptied, until it is or can be no further.',
    stream(machines.drainBody),
  ),
  'GET /v1/machines/:id/images': is(
    'machineImages',
    'Why each image on a machine is kept.',
    json(machines.machineImagesBody),
  ),
  'POST /v1/machines/:id/images': is(
    'fetchImage',
    'Has a machine fetch an image, if it has it not: how far that is, as it goes on.',
    lines(machines.prefetchBody),
  ),
  'GET /v1/machines/:id/adopt': is(
    'machineAdopt',
    'What runs on a machine that its cluster knows nothing of.',
    json(machines.machineAdoptBody),
  ),
  'POST /v1/machines/:id/adopt': is(
    'machineAdoptStop',
    'Stops what runs on a machine that its cluster knows nothing of.',
    json(machines.machineAdoptBody),
  ),
  'GET /v1/store/unreadable': is(
    'unreadable',
    'Records that cannot be read.',
    json(list(records.unreadableBody)),
  ),
  'GET /v1/store/record': is(
    'record',
    'A record as the store has it. Over TCP it needs the role write: it may hold secrets of trigger URLs.',
    json(records.recordBody),
  ),
  'GET /v1/store/export': is(
    'exportRecords',
    'All records as of one revision: a head, pairs of key and value, an end. Over TCP it needs the role write: they may hold secrets of trigger URLs.',
    lines(either([records.exportHeader, Type.Array(text()), records.exportFooter])),
  ),
  'POST /v1/store/remove': is(
    'removeRecord',
    'Removes a record that cannot be read.',
    json(records.recordBody),
  ),
  'GET /v1/units': is('units', 'All units.', json(list(units.unitBody))),
  'GET /v1/units/:name': is('unit', 'A unit, with what it uses.', json(units.unitDetails)),
  'GET /v1/units/:name/explain': is('unitExplain', 'Why a unit is where it is.', json(history.explainedUnit)),
  'GET /v1/units/:name/journal': is('unitJournal', 'What a unit has written.', lines(logRecord)),
  'POST /v1/units/:name/kill': is(
    'unitKill',
    'Sends a signal to the processes of a unit.',
    json(units.unitKillBody),
  ),
  'POST /v1/unit-changes': is(
    'changeUnits',
    "What fleet's commands do to units.",
    json(units.unitChangeResponse),
  ),
  'POST /v1/unit-progress': is(
    'unitProgress',
    'Follows units until each is as wanted, or will not be.',
    stream(units.unitProgress),
  ),
  'GET /v1/tasks': is('tasks', 'Tasks, oldest first.', json(list(tasks.taskBody))),
  'GET /v1/tasks/:uuid': is('task', 'A task.', json(tasks.taskBody)),
  'GET /v1/tasks/:uuid/progress': is(
    'taskProgress',
    'Follows a task until it is over.',
    stream(tasks.taskProgress),
  ),
  'POST /v1/tasks/:uuid/terminate': is('terminate', 'Ends a task.', changed),
  'GET /v1/projects': is('projects', 'All projects.', json(list(services.projectBody))),
  [`GET ${project}`]: is('project', 'A project with its services.', json(services.projectDetails)),
  [`DELETE ${project}`]: is('deleteProject', 'Deletes a project.', changed),
  [`POST ${project}/stop`]: is('stopProject', 'Stops all services of a project.', changed),
  [`POST ${project}/start`]: is('startProject', 'Starts the services of a project again.', changed),
  [`POST ${project}/freeze`]: is('freeze', 'Holds all changes of a service or a project.', changed),
  [`POST ${project}/unfreeze`]: is('unfreeze', 'Ends a freeze.', changed),
  [`POST ${project}/release`]: is('release', 'Lets go on what was held back for a freeze.', changed),
  [`POST ${project}/compile`]: is(
    'compile',
    'The units that manifests compile to; changes nothing.',
    json(deploys.compileResponse),
  ),
  [`POST ${project}/prefetch`]: is(
    'prefetch',
    'Has the machines fetch the images that may run a service, or what a deploy would make: how far that is, as it goes on.',
    lines(machines.prefetchBody),
  ),
  [`POST ${project}/plan`]: is(
    'plan',
    'What a deploy would change; changes nothing.',
    json(deploys.planResponse),
  ),
  [`POST ${project}/deploy`]: is(
    'deploy',
    'Creates or updates services as one change.',
    json(deploys.deployResponse),
  ),
  [`POST ${project}/scale`]: is('scale', 'Changes how many instances services have.', changed),
  [`GET ${project}/services`]: is('services', 'The services of a project.', json(list(services.serviceBody))),
  [`GET ${service}`]: is(
    'service',
    'A service with its manifest, versions and instances.',
    json(services.serviceDetails),
  ),
  [`DELETE ${service}`]: is('deleteService', 'Deletes a service.', changed),
  [`POST ${service}/stop`]: is('stop', 'Stops a service.', changed),
  [`POST ${service}/start`]: is('start', 'Starts a service.', changed),
  [`POST ${service}/run`]: {
    ...is(
      'run',
      "Runs a program once as an instance of the current version, joined to the caller, and takes the instance away then. The body is the program's input; with `tty=true` it is made of ExecInput. An `exit` or an `error` is the last of the answer.",
      lines(units.execFrame),
    ),
    input: lines(units.execInput),
  },
  [`POST ${service}/revert`]: is('revert', 'Makes a version current, and replaces instances.', changed),
  [`POST ${service}/reprovision`]: is('reprovision', 'Replaces instances.', changed),
  [`GET ${service}/versions`]: is(
    'versions',
    'The versions of a service, newest first.',
    json(list(services.versionOfService)),
  ),
  [`GET ${project}/versions/:version`]: is(
    'serviceVersion',
    'A version, by its uuid, the beginning of that, or `service@ordinal`.',
    json(services.versionDetails),
  ),
  [`GET ${project}/instances`]: is(
    'instances',
    'Instances of a project, or of one service.',
    json(list(services.instanceBody)),
  ),
  [`GET ${project}/explain/:name`]: is(
    'explain',
    'Why instances are where they are.',
    json(history.explainBody),
  ),
  [`GET ${project}/logs/:name`]: is('logs', 'What a service or an instance has written.', lines(logRecord)),
  [`POST ${project}/exec/:instance`]: {
    ...is(
      'exec',
      "Runs a program beside an instance. The body is the program's input; with `tty=true` it is made of ExecInput. The header x-mariposa-exec of the answer names a program in a terminal.",
      lines(units.execFrame),
    ),
    input: lines(units.execInput),
  },
  [`POST ${project}/exec/:instance/detach`]: is(
    'detach',
    'Leaves a program in a terminal, which goes on.',
    json(part({})),
  ),
  [`GET ${project}/meta`]: is('meta', "The keys of a project's metadata.", json(list(meta.metaBody))),
  [`GET ${key}`]: is('metaKey', 'A key.', json(meta.metaBody)),
  [`PUT ${key}`]: is('setMeta', 'Sets a key.', json(meta.metaBody)),
  [`DELETE ${key}`]: is('removeMeta', 'Removes a key.', json(part({ key: text() }))),
  [`POST ${key}/incr`]: is('incrMeta', 'Adds to a number.', json(meta.metaBody)),
  [`POST ${key}/decr`]: is('decrMeta', 'Takes from a number.', json(meta.metaBody)),
  [`POST ${project}/meta/import`]: is(
    'importMeta',
    'Sets several keys as one change.',
    json(meta.metaImportResponse),
  ),
  'GET /v1/policy': is(
    'policy',
    'What the operator of the machine that is asked lets units do.',
    json(machines.policyBody),
  ),
  'POST /v1/secrets/rotate': is(
    'rotateSecrets',
    'Takes the newest key of the daemon that is asked for the secrets, and seals all of them with it.',
    json(meta.secretRotateResponse),
  ),
  [`GET ${project}/webhooks`]: is(
    'webhooks',
    "Who is told of services' events.",
    json(list(starts.webhookBody)),
  ),
  [`GET ${project}/webhooks/deliveries`]: is(
    'deliveries',
    'Deliveries that wait, and the last that are over.',
    json(list(starts.deliveryBody)),
  ),
  [`POST ${project}/webhooks/test`]: is(
    'webhookTest',
    'Sends a test past the queue.',
    json(starts.webhookTestResponse),
  ),
  [`POST ${project}/webhooks/retry`]: is(
    'webhookRetry',
    'Tries again what was given up.',
    json(starts.webhookRetryResponse),
  ),
  'GET /v1/dns/:name': is('dnsLookup', 'What this daemon answers for a name.', json(dns.dnsLookup)),
  'GET /v1/registries': is(
    'registries',
    'Who registries of images are asked as.',
    json(list(registries.registryBody)),
  ),
  'PUT /v1/registries/:host': is(
    'logInToRegistry',
    'Has every machine ask a registry as somebody.',
    json(registries.registryLoginResponse),
  ),
  'DELETE /v1/registries/:host': is(
    'logOutOfRegistry',
    'Forgets the login of a registry.',
    json(part({ host: text() })),
  ),
  'GET /v1/discovery/prometheus': is(
    'discoveryPrometheus',
    "Where instances tell their metrics, for Prometheus' HTTP service discovery.",
    json(list(discovery.prometheusTarget)),
  ),
  'GET /v1/discovery/traefik': is(
    'discoveryTraefik',
    "Services and their instances, for Traefik's HTTP provider.",
    json(discovery.traefikConfiguration),
  ),
  [`GET ${project}/discovery`]: is(
    'discovery',
    'What runs in a project; with `follow` again after each change.',
    stream(discovery.discoveryBody),
  ),
  [`GET ${project}/dns`]: is(
    'dnsInstances',
    'Instances and their names, and why one is not listed.',
    json(list(dns.dnsInstance)),
  ),
  [`GET ${project}/entry`]: is(
    'entry',
    'What the world reaches of services, and who serves it.',
    json(list(entry.entryBody)),
  ),
  [`GET ${project}/volume-backups`]: is(
    'volumeBackups',
    'Backups of volumes by schedule: what became of them, and the next ones.',
    json(list(volumeBackups.volumeBackupBody)),
  ),
  [`GET ${project}/schedules`]: is(
    'schedules',
    'When services start by themselves.',
    json(list(starts.scheduleBody)),
  ),
  [`GET ${project}/schedules/runs`]: is(
    'runs',
    'Firings, and what came of them.',
    json(list(starts.runBody)),
  ),
}

function is(id: string, summary: string, answer: Answer): Operation {
  return { id, summary, answer }
}
