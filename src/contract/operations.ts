// Summary and answer of each route of the API, by method and path. Parameters and bodies of requests are declared with the route
// itself, which checks them: see openapi.ts.
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

/** One route: its summary, its answer and its body. */
export interface Operation {
  /** Unique among all operations. */
  readonly id: string
  readonly summary: string
  readonly answer: Answer
  /** The body of the request, if it is not JSON. */
  readonly input?: Answer
}

/** A body; for a stream, `schema` is the schema of each of its values. */
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
  'GET /healthz': is('health', 'Answers 200 while the daemon runs.', json(machines.healthBody)),
  'GET /readyz': is(
    'ready',
    'Whether the daemon can do all of its work; 503 if it cannot.',
    json(machines.healthBody),
  ),
  'GET /metrics': is('metrics', 'Metrics of all instances on this machine, and of the daemon.', metrics),
  'GET /v1/:uuid/metrics': is('instanceMetrics', 'Metrics of an instance on this machine.', metrics),
  'GET /v1/openapi.json': is('openapi', 'This document.', json(mapOf(anything()))),
  'GET /v1/version': is(
    'version',
    'The version of the daemon, and the machine that leads.',
    json(machines.versionBody),
  ),
  'GET /v1/image-meaning': is(
    'imageMeaning',
    'The digest or id of an image, from Docker on this machine.',
    json(imageMeaning),
  ),
  'GET /v1/events': is(
    'events',
    'The history of events; newline-separated JSON if the request accepts application/x-ndjson.',
    stream(history.eventBody),
  ),
  'GET /v1/use': is('use', 'The present resource use of units.', json(machines.useBody)),
  'GET /v1/volumes': is(
    'volumes',
    'The named volumes of all machines, and the machines that do not report theirs.',
    json(volumes.volumesBody),
  ),
  'GET /v1/volumes/:volume': is(
    'volume',
    'A named volume, by its uuid, a prefix of it, or its name.',
    json(volumes.volumeBody),
  ),
  'DELETE /v1/volumes/:volume': is(
    'deleteVolume',
    'Deletes a named volume that nothing uses and that its service does not name.',
    json(volumes.deletedVolume),
  ),
  'POST /v1/volumes/:volume/backup': is(
    'backUpVolume',
    'A backup of a named volume. A complete one ends with the trailer x-mariposa-sha256; without it the archive is truncated.',
    archive,
  ),
  'POST /v1/volumes/:volume/restore': {
    ...is(
      'restoreVolume',
      'Replaces the data of a named volume with a backup; the instance of its slot is stopped while that runs.',
      json(volumes.volumeRestored),
    ),
    input: archive,
  },
  'POST /v1/volumes/:volume/clone': is(
    'cloneVolume',
    'Replaces the data of another volume with a copy of a named volume; the other volume is created if its slot has none yet.',
    json(volumes.volumeCloned),
  ),
  'POST /v1/volumes/:volume/move': is(
    'moveVolume',
    'Moves the volumes of a slot to another machine, or cancels the move; the slot has no instance until they have arrived.',
    json(volumes.volumeBody),
  ),
  'POST /v1/volumes/:volume/export': is(
    'exportVolume',
    'The data of a volume, for the daemon of the machine that it moves to. The trailer x-mariposa-sha256 covers the whole archive, including the part before an offset.',
    { type: 'application/x-tar', schema: text('A tar archive.') },
  ),
  'GET /v1/machines': is('machines', 'All machines.', json(list(machines.machineBody))),
  'GET /v1/machines/:id': is(
    'machine',
    'A machine, by its id, a prefix of it, or its hostname.',
    json(machines.machineDetails),
  ),
  'PATCH /v1/machines/:id': is(
    'changeMachine',
    'Cordons or drains a machine, or changes its metadata.',
    json(machines.machineDetails),
  ),
  'DELETE /v1/machines/:id': is(
    'removeMachine',
    'Removes a machine that is down, and answers with its last state.',
    json(machines.machineDetails),
  ),
  'GET /v1/machines/:id/drain': is(
    'drain',
    'Follows the drain of a machine until it is finished or stuck.',
    stream(machines.drainBody),
  ),
  'GET /v1/machines/:id/images': is(
    'machineImages',
    'Why each image on a machine is kept.',
    json(machines.machineImagesBody),
  ),
  'POST /v1/machines/:id/images': is(
    'fetchImage',
    'Makes a machine pull an image unless it has it, and streams the progress.',
    lines(machines.prefetchBody),
  ),
  'GET /v1/machines/:id/adopt': is(
    'machineAdopt',
    'Units that run on a machine and that its cluster does not know.',
    json(machines.machineAdoptBody),
  ),
  'POST /v1/machines/:id/adopt': is(
    'machineAdoptStop',
    'Stops the units that run on a machine and that its cluster does not know.',
    json(machines.machineAdoptBody),
  ),
  'GET /v1/store/unreadable': is(
    'unreadable',
    'Records that cannot be read.',
    json(list(records.unreadableBody)),
  ),
  'GET /v1/store/record': is(
    'record',
    'A record of the store. Over TCP it needs the role write, as it may contain secrets of trigger URLs.',
    json(records.recordBody),
  ),
  'GET /v1/store/export': is(
    'exportRecords',
    'All records as of one revision: a header, pairs of key and value, a footer. Over TCP it needs the role write, as records may contain secrets of trigger URLs.',
    lines(either([records.exportHeader, Type.Array(text()), records.exportFooter])),
  ),
  'POST /v1/store/remove': is(
    'removeRecord',
    'Removes a record that cannot be read.',
    json(records.recordBody),
  ),
  'GET /v1/units': is('units', 'All units.', json(list(units.unitBody))),
  'GET /v1/units/:name': is('unit', 'A unit, with its resource use.', json(units.unitDetails)),
  'GET /v1/units/:name/explain': is(
    'unitExplain',
    'Why a unit is on its machine, or why it cannot be placed.',
    json(history.explainedUnit),
  ),
  'GET /v1/units/:name/journal': is('unitJournal', 'The log of a unit.', lines(logRecord)),
  'POST /v1/units/:name/kill': is(
    'unitKill',
    'Sends a signal to the processes of a unit.',
    json(units.unitKillBody),
  ),
  'POST /v1/unit-changes': is(
    'changeUnits',
    "Changes units as fleet's commands do.",
    json(units.unitChangeResponse),
  ),
  'POST /v1/unit-progress': is(
    'unitProgress',
    'Follows units until each has reached its desired state or has failed.',
    stream(units.unitProgress),
  ),
  'GET /v1/tasks': is('tasks', 'Tasks, oldest first.', json(list(tasks.taskBody))),
  'GET /v1/tasks/:uuid': is('task', 'A task.', json(tasks.taskBody)),
  'GET /v1/tasks/:uuid/progress': is(
    'taskProgress',
    'Follows a task until it is finished.',
    stream(tasks.taskProgress),
  ),
  'POST /v1/tasks/:uuid/terminate': is('terminate', 'Ends a task.', changed),
  'GET /v1/projects': is('projects', 'All projects.', json(list(services.projectBody))),
  [`GET ${project}`]: is('project', 'A project with its services.', json(services.projectDetails)),
  [`DELETE ${project}`]: is('deleteProject', 'Deletes a project.', changed),
  [`POST ${project}/stop`]: is('stopProject', 'Stops all services of a project.', changed),
  [`POST ${project}/start`]: is('startProject', 'Starts the services of a project again.', changed),
  [`POST ${project}/freeze`]: is(
    'freeze',
    'Freezes a service or a project: holds all of its changes.',
    changed,
  ),
  [`POST ${project}/unfreeze`]: is('unfreeze', 'Ends a freeze.', changed),
  [`POST ${project}/release`]: is(
    'release',
    'Replaces lost instances now, although most machines vanished together.',
    changed,
  ),
  [`POST ${project}/compile`]: is(
    'compile',
    'The units that manifests compile to; changes nothing.',
    json(deploys.compileResponse),
  ),
  [`POST ${project}/prefetch`]: is(
    'prefetch',
    'Makes the machines that may run a service, or the result of a deploy, pull its images, and streams the progress.',
    lines(machines.prefetchBody),
  ),
  [`POST ${project}/plan`]: is(
    'plan',
    'The changes that a deploy would make; changes nothing.',
    json(deploys.planResponse),
  ),
  [`POST ${project}/deploy`]: is(
    'deploy',
    'Creates or updates services as one change.',
    json(deploys.deployResponse),
  ),
  [`POST ${project}/scale`]: is('scale', 'Changes the number of instances of services.', changed),
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
      'Runs a program once as an instance of the current version, attached to the caller, and removes the instance when it has ended. The body is the input of the program, or lines of ExecInput with `tty=true`. The last line of the answer is an `exit` or an `error`.',
      lines(units.execFrame),
    ),
    input: lines(units.execInput),
  },
  [`POST ${service}/revert`]: is(
    'revert',
    'Makes another version current and replaces the instances.',
    changed,
  ),
  [`POST ${service}/reprovision`]: is('reprovision', 'Replaces instances.', changed),
  [`GET ${service}/versions`]: is(
    'versions',
    'The versions of a service, newest first.',
    json(list(services.versionOfService)),
  ),
  [`GET ${project}/versions/:version`]: is(
    'serviceVersion',
    'A version, by its uuid, a prefix of it, or `service@ordinal`.',
    json(services.versionDetails),
  ),
  [`GET ${project}/instances`]: is(
    'instances',
    'Instances of a project, or of one service.',
    json(list(services.instanceBody)),
  ),
  [`GET ${project}/explain/:name`]: is(
    'explain',
    'Why instances are on their machines, or why they cannot be placed.',
    json(history.explainBody),
  ),
  [`GET ${project}/logs/:name`]: is('logs', 'The log of a service or an instance.', lines(logRecord)),
  [`POST ${project}/exec/:instance`]: {
    ...is(
      'exec',
      'Runs a program inside an instance. The body is the input of the program, or lines of ExecInput with `tty=true`. For a program in a terminal, the header x-mariposa-exec of the answer has its id.',
      lines(units.execFrame),
    ),
    input: lines(units.execInput),
  },
  [`POST ${project}/exec/:instance/detach`]: is(
    'detach',
    'Detaches from a program in a terminal; the program goes on.',
    json(part({})),
  ),
  [`GET ${project}/meta`]: is('meta', 'The metadata keys of a project.', json(list(meta.metaBody))),
  [`GET ${key}`]: is('metaKey', 'A metadata key.', json(meta.metaBody)),
  [`PUT ${key}`]: is('setMeta', 'Sets a metadata key.', json(meta.metaBody)),
  [`DELETE ${key}`]: is('removeMeta', 'Removes a metadata key.', json(part({ key: text() }))),
  [`POST ${key}/incr`]: is('incrMeta', 'Increments a number.', json(meta.metaBody)),
  [`POST ${key}/decr`]: is('decrMeta', 'Decrements a number.', json(meta.metaBody)),
  [`POST ${project}/meta/import`]: is(
    'importMeta',
    'Sets several keys as one change.',
    json(meta.metaImportResponse),
  ),
  'GET /v1/policy': is(
    'policy',
    'Rights that the operator of this machine grants to units.',
    json(machines.policyBody),
  ),
  'POST /v1/secrets/rotate': is(
    'rotateSecrets',
    'Encrypts all secrets with the newest key of this daemon.',
    json(meta.secretRotateResponse),
  ),
  [`GET ${project}/webhooks`]: is(
    'webhooks',
    'The receivers of events of services.',
    json(list(starts.webhookBody)),
  ),
  [`GET ${project}/webhooks/deliveries`]: is(
    'deliveries',
    'Waiting deliveries, and the last finished ones.',
    json(list(starts.deliveryBody)),
  ),
  [`POST ${project}/webhooks/test`]: is(
    'webhookTest',
    'Sends a test event, bypassing the queue.',
    json(starts.webhookTestResponse),
  ),
  [`POST ${project}/webhooks/retry`]: is(
    'webhookRetry',
    'Retries deliveries that were given up.',
    json(starts.webhookRetryResponse),
  ),
  'GET /v1/dns/:name': is('dnsLookup', 'The DNS answer of this daemon for a name.', json(dns.dnsLookup)),
  'GET /v1/registries': is('registries', 'Logins of image registries.', json(list(registries.registryBody))),
  'PUT /v1/registries/:host': is(
    'logInToRegistry',
    'Sets the login for an image registry on every machine.',
    json(registries.registryLoginResponse),
  ),
  'DELETE /v1/registries/:host': is(
    'logOutOfRegistry',
    'Removes the login of an image registry.',
    json(part({ host: text() })),
  ),
  'GET /v1/discovery/prometheus': is(
    'discoveryPrometheus',
    "Metrics addresses of instances, for Prometheus' HTTP service discovery.",
    json(list(discovery.prometheusTarget)),
  ),
  'GET /v1/discovery/traefik': is(
    'discoveryTraefik',
    "Services and their instances, for Traefik's HTTP provider.",
    json(discovery.traefikConfiguration),
  ),
  [`GET ${project}/discovery`]: is(
    'discovery',
    'Services, instances and machines of a project; with `follow` sent again after each change.',
    stream(discovery.discoveryBody),
  ),
  [`GET ${project}/dns`]: is(
    'dnsInstances',
    'Instances and their DNS names, and why an instance is not listed.',
    json(list(dns.dnsInstance)),
  ),
  [`GET ${project}/entry`]: is(
    'entry',
    'Routes of services through the entry, and the instances that serve them.',
    json(list(entry.entryBody)),
  ),
  [`GET ${project}/volume-backups`]: is(
    'volumeBackups',
    'Scheduled backups of volumes: finished, failed and next ones.',
    json(list(volumeBackups.volumeBackupBody)),
  ),
  [`POST ${project}/volume-backups/:backup/read`]: is(
    'readVolumeBackup',
    'The archive of a scheduled backup. A complete one ends with the trailer x-mariposa-sha256; without it the archive is truncated.',
    archive,
  ),
  [`GET ${project}/schedules`]: is('schedules', 'Schedules of services.', json(list(starts.scheduleBody))),
  [`GET ${project}/schedules/runs`]: is(
    'runs',
    'Firings of schedules and their outcomes.',
    json(list(starts.runBody)),
  ),
}

function is(id: string, summary: string, answer: Answer): Operation {
  return { id, summary, answer }
}
