// The bodies of requests as JSON Schema, by which the server checks them. The types of the contract derive from them.
import { type TProperties, type TSchema, Type } from 'typebox'
import { desiredState, flag, optional, orNull, text, words } from './shapes/words.js'

/** A body without unknown keys. */
function request<P extends TProperties>(title: string, description: string, properties: P) {
  return Type.Object(properties, { title, description, additionalProperties: false })
}

function map<T extends TSchema>(
  values: T,
  options: { readonly maxProperties?: number; readonly description?: string } = {},
) {
  return Type.Record(Type.String(), values, options)
}

function whole(minimum: number, description: string, maximum?: number) {
  return Type.Integer({ minimum, ...(maximum !== undefined && { maximum }), description })
}

const atMost = 1000

const sourcedFile = request('SourcedFile', 'A file beside a manifest, which its `files` name in `source`.', {
  path: text('Path relative to the directory of the manifest, as in the manifest, without leading `./`.'),
  data: Type.String({ description: 'Content of the file, in base64.', pattern: '^[A-Za-z0-9+/]*={0,2}$' }),
})

export const sourceFile = request('SourceFile', 'One file of a deploy, as the operator submitted it.', {
  file: text(),
  text: text(),
  name: optional(text('Name of the service if the file itself gives none.')),
  files: optional(Type.Array(sourcedFile, { maxItems: atMost })),
})
const sources = Type.Array(sourceFile, { minItems: 1, maxItems: atMost })

export const compileRequest = request('CompileRequest', 'The manifests to compile to units.', { sources })

const versionWord = 'its uuid, a prefix of it, or its number'
const rolling = whole(1, 'Number of instances that are replaced at a time; default 1.')
const canary = whole(1, 'Number of instances that are replaced; the others stay as they are.')
const deadlineMs = whole(
  1000,
  'Time that each new instance may take to come up before the task fails, in milliseconds. Default: 10 min for a rollout, otherwise no limit.',
)
const previous = text(`Refuse unless this is the current version: ${versionWord}.`)

export const deployRequest = request(
  'DeployRequest',
  'Create or update services as one change: all of them or none.',
  {
    sources,
    scale: optional(
      whole(
        0,
        'Scale of every service of the request. Without it, a new service starts at 1 and an existing one keeps its scale.',
      ),
    ),
    rolling: optional(rolling),
    canary: optional(canary),
    deadlineMs: optional(deadlineMs),
    autoRevert: optional(flag('If the rollout fails, the previous version becomes current again.')),
    previous: optional(previous),
    only: optional(
      words(
        ['new', 'existing'],
        '`new`: refuse unless every service is new. `existing`: refuse unless every service exists.',
      ),
    ),
    service: optional(text('Refuse unless the sources define exactly this service.')),
    prune: optional(flag('The sources define the whole project: its other services are removed.')),
    expect: optional(text('Id of a plan: refuse unless the deploy would still do exactly the same.')),
    waitForRoom: optional(
      flag(
        'Accept the deploy even if no machine can take its instances now: they wait until one can, or until the deadline.',
      ),
    ),
    refresh: optional(
      flag(
        'Resolve the tags of images again: if a tag stands for another image by now, a new version is made from the same manifest.',
      ),
    ),
  },
)

export const prefetchRequest = request(
  'PrefetchRequest',
  'The images to pull: those of a service in its present version, or those of a deploy.',
  {
    service: optional(text('A service of the project.')),
    deploy: optional(deployRequest),
    deadlineMs: optional(
      whole(1000, 'Time that each machine may take for an image, in milliseconds. Default: 10 min.'),
    ),
  },
)

export const removeRecordRequest = request('RemoveRecordRequest', 'The record to remove.', {
  key: text(),
  revision: optional(Type.Integer({ description: 'Refuse unless the record still has this revision.' })),
  force: optional(
    flag('Remove the record even if it can be read, by this version of Mariposa or by a newer one.'),
  ),
})

const rollout = {
  rolling: optional(rolling),
  canary: optional(canary),
  deadlineMs: optional(deadlineMs),
  previous: optional(previous),
}

export const revertRequest = request('RevertRequest', 'The version that becomes current.', {
  ...rollout,
  version: text(`The version, by ${versionWord}.`),
})

export const reprovisionRequest = request(
  'ReprovisionRequest',
  'The instances to replace: those that match all given filters, or all if there is no filter.',
  {
    ...rollout,
    version: optional(text(`Only instances of this version: ${versionWord}.`)),
    image: optional(text()),
    instance: optional(text('Name or uuid of the instance.')),
    machine: optional(text('Id of the machine, a prefix of it, or its hostname.')),
  },
)

export const scaleRequest = request('ScaleRequest', 'The new scale by service: `3`, `"+2"` or `"-1"`.', {
  targets: map(Type.Union([Type.String(), Type.Integer()])),
  deadlineMs: optional(deadlineMs),
})

export const startRequest = request(
  'StartRequest',
  'Starts a service. With a version, that version becomes current first.',
  {
    version: optional(text(`The version, by ${versionWord}.`)),
    set: optional(
      map(text(), {
        description:
          'Variables for this run only, of an event or scheduled service; they override those of its manifest.',
      }),
    ),
    deadlineMs: optional(deadlineMs),
  },
)

export const stopRequest = request('StopRequest', 'The part of a service to stop.', {
  version: optional(text(`Only instances of this version: ${versionWord}.`)),
  join: optional(flag('If it is being stopped already, answer with that task instead of refusing.')),
})

export const metaSetRequest = request(
  'MetaSetRequest',
  'A new value for a metadata key. A secret stays a secret until it is removed.',
  {
    value: text(),
    secret: optional(flag()),
    cas: optional(text('Refuse unless the key has this CAS id.')),
  },
)

export const registryLoginRequest = request(
  'RegistryLoginRequest',
  'The login for an image registry. With the username `<token>` the password is an identity token.',
  {
    username: text(),
    password: text(),
    check: optional(flag('false: the login is not checked with Docker.')),
  },
)

export const metaCountRequest = request('MetaCountRequest', 'The amount by which a number changes.', {
  by: optional(whole(1, 'Default 1.', Number.MAX_SAFE_INTEGER)),
})

export const metaImportRequest = request('MetaImportRequest', 'Several keys as one change.', {
  values: map(Type.String(), { maxProperties: atMost }),
  secret: optional(flag()),
  force: optional(flag('Overwrite keys that exist already; otherwise they stay as they are.')),
})

export const secretRotateRequest = request(
  'SecretRotateRequest',
  'Encrypts all secrets with the newest key.',
  {
    lost: optional(
      flag(
        'A key is lost: secrets that only this key decrypts are given up, and generated ones are generated again.',
      ),
    ),
  },
)

export const sourceText = request('SourceText', 'A unit file.', { file: text(), text: text() })

export const namedUnit = request(
  'NamedUnit',
  'A unit, and its text for a cluster that does not know it yet.',
  {
    name: text('Name of the unit; without a suffix `.service` is added: `web` is `web.service`.'),
    source: optional(sourceText),
    template: optional(sourceText),
  },
)

export const unitChangeRequest = request(
  'UnitChangeRequest',
  'A change of units: of all of them, or of none if any of them is refused.',
  {
    verb: words(['submit', 'load', 'start', 'stop', 'unload', 'destroy']),
    units: Type.Array(namedUnit, { minItems: 1, maxItems: atMost }),
    replace: optional(flag('For verbs that submit: an existing unit gets the new text.')),
  },
)

export const unitProgressRequest = request('UnitProgressRequest', 'The units to follow.', {
  units: Type.Array(Type.String(), { minItems: 1, maxItems: atMost }),
  wanted: orNull(desiredState, 'The desired state to wait for; null: until the units are gone.'),
})

export const machineChangeRequest = request(
  'MachineChangeRequest',
  'Changes of a machine. Settings that are left out stay as they are.',
  {
    cordoned: optional(flag('false ends a drain as well, as a drain needs the cordon.')),
    drain: optional(
      Type.Object(
        { rolling: optional(whole(1, 'Number of instances of a service that move at a time.', 10_000)) },
        {
          additionalProperties: false,
          description: 'Moves every unit away that another machine can run. Cordons the machine as well.',
        },
      ),
    ),
    metadata: optional(
      map(Type.Unsafe<string | null>(Type.Union([Type.String(), Type.Null()])), {
        maxProperties: atMost,
        description: 'Keys to set; null removes a key, even if the daemon of the machine announces it.',
      }),
    ),
  },
)

export const webhookTestRequest = request(
  'WebhookTestRequest',
  'Sends a test event to all receivers of a service, or to the one with this URL, bypassing their queues.',
  {
    service: text(),
    url: optional(text()),
  },
)

export const webhookRetryRequest = request(
  'WebhookRetryRequest',
  'Retries all deliveries that were given up, or one of them, and enables disabled receivers.',
  {
    service: text(),
    delivery: optional(text()),
  },
)

export const terminateRequest = request('TerminateRequest', 'Options for ending a task.', {
  freeze: optional(flag('Freeze the scope of the task as well: nothing in it changes until it is unfrozen.')),
})

export const scopeRequest = request('ScopeRequest', 'A service, or the whole project.', {
  service: optional(text()),
})

export const moveVolumeRequest = request('MoveVolumeRequest', 'The destination of a volume.', {
  machine: optional(
    text(
      'Id of a machine, a prefix of it, or its hostname; default: the emptiest machine that can take the instance.',
    ),
  ),
  cancel: optional(flag('Cancel the move instead: the volume stays where it is.')),
})
