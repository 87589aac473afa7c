// The bodies of requests as JSON Schema, for checking them at the door. The types of the contract derive from them.
import { type TProperties, type TSchema, Type } from 'typebox'
import { desiredState, flag, optional, orNull, text, words } from './shapes/words.js'

/** A body that takes nothing that nobody reads. */
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

const sourcedFile = request(
  'SourcedFile',
  'A file beside a manifest, for what its `files` say of `source`.',
  {
    path: text('Relative to the directory of the manifest, as that says it, without ./ in front.'),
    data: Type.String({ description: 'What it holds, in base64.', pattern: '^[A-Za-z0-9+/]*={0,2}$' }),
  },
)

export const sourceFile = request('SourceFile', 'One file of a deploy, as the operator submitted it.', {
  file: text(),
  text: text(),
  name: optional(text("The service's name where the file itself gives none.")),
  files: optional(Type.Array(sourcedFile, { maxItems: atMost })),
})
const sources = Type.Array(sourceFile, { minItems: 1, maxItems: atMost })

export const compileRequest = request('CompileRequest', 'The units that manifests compile to.', { sources })

const versionWord = 'its uuid, the beginning of that, or its number'
const rolling = whole(1, 'How many instances are replaced at a time; default 1.')
const canary = whole(1, 'Only so many instances are replaced; the rest stay as they are.')
const deadlineMs = whole(
  1000,
  'How long each new instance may take until it is up, before the task has failed. Default of a rollout: 10 min; else for ever.',
)
const previous = text(`Refused unless this is the current version: ${versionWord}.`)

export const deployRequest = request(
  'DeployRequest',
  'Create or update services as one change: all of them or none.',
  {
    sources,
    scale: optional(
      whole(
        0,
        'For every service of the request; a new service starts at 1, an existing one keeps its scale.',
      ),
    ),
    rolling: optional(rolling),
    canary: optional(canary),
    deadlineMs: optional(deadlineMs),
    autoRevert: optional(flag('When the rollout fails, the version before becomes current again.')),
    previous: optional(previous),
    only: optional(
      words(['new', 'existing'], 'Refuse unless every service is new, or every service exists.'),
    ),
    service: optional(text('Refuse unless this is the service that the sources define, and the only one.')),
    prune: optional(flag('The sources are all of the project: its other services are removed.')),
    expect: optional(text('Refuse unless this plan, by its id, is still what would be done.')),
    waitForRoom: optional(
      flag(
        'Not refused where no machine can take it now: it waits until one can, or its deadline has passed.',
      ),
    ),
    refresh: optional(
      flag(
        'Resolve the tags of images anew: where one means other bits by now, a new version is made of the same text.',
      ),
    ),
  },
)

export const prefetchRequest = request(
  'PrefetchRequest',
  'Which images machines are to have: those of a service as it is, or of what a deploy would make.',
  {
    service: optional(text('A service of the project.')),
    deploy: optional(deployRequest),
    deadlineMs: optional(whole(1000, 'How long each machine may take for an image. Default: 10 min.')),
  },
)

export const removeRecordRequest = request('RemoveRecordRequest', 'Which record is removed.', {
  key: text(),
  revision: optional(
    Type.Integer({ description: 'The revision that was looked at: another one is not removed.' }),
  ),
  force: optional(flag('Remove it although it can be read, here or by a newer Mariposa.')),
})

const rollout = {
  rolling: optional(rolling),
  canary: optional(canary),
  deadlineMs: optional(deadlineMs),
  previous: optional(previous),
}

export const revertRequest = request('RevertRequest', 'Which version becomes current.', {
  ...rollout,
  version: text(`Named by ${versionWord}.`),
})

export const reprovisionRequest = request(
  'ReprovisionRequest',
  'Which instances are replaced: those that meet every filter given; all without one.',
  {
    ...rollout,
    version: optional(text(`Of this version: ${versionWord}.`)),
    image: optional(text()),
    instance: optional(text('Its name or uuid.')),
    machine: optional(text('Its id, the beginning of that, or its hostname.')),
  },
)

export const scaleRequest = request('ScaleRequest', '`3`, `"+2"` or `"-1"` for each service that is named.', {
  targets: map(Type.Union([Type.String(), Type.Integer()])),
  deadlineMs: optional(deadlineMs),
})

export const startRequest = request('StartRequest', 'With a version, that one becomes current first.', {
  version: optional(text(`Named by ${versionWord}.`)),
  set: optional(
    map(text(), {
      description:
        'Variables of this run alone, of an event or scheduled service, over those of its manifest.',
    }),
  ),
  deadlineMs: optional(deadlineMs),
})

export const stopRequest = request('StopRequest', 'What of a service is stopped.', {
  version: optional(text(`Of this version alone: ${versionWord}.`)),
  join: optional(flag('Where it is being done already: the answer is that task, and not a refusal.')),
})

export const metaSetRequest = request('MetaSetRequest', 'What is a secret stays one until it is removed.', {
  value: text(),
  secret: optional(flag()),
  cas: optional(text('Refuse unless the key has this CAS id.')),
})

export const registryLoginRequest = request(
  'RegistryLoginRequest',
  'Who a registry is asked as. The username `<token>` says that the password is an identity token.',
  {
    username: text(),
    password: text(),
    check: optional(flag('false: Docker is not asked whether it is right.')),
  },
)

export const metaCountRequest = request('MetaCountRequest', 'By how much a number is changed.', {
  by: optional(whole(1, 'Default 1.', Number.MAX_SAFE_INTEGER)),
})

export const metaImportRequest = request('MetaImportRequest', 'Several keys as one change.', {
  values: map(Type.String(), { maxProperties: atMost }),
  secret: optional(flag()),
  force: optional(flag('Keys that are there get the new value too; else they are left as they are.')),
})

export const secretRotateRequest = request(
  'SecretRotateRequest',
  'All secrets are sealed with the newest key.',
  {
    lost: optional(
      flag('A key is lost: what only that one opens is given up, and what was made is made anew.'),
    ),
  },
)

export const sourceText = request('SourceText', 'A unit file.', { file: text(), text: text() })

export const namedUnit = request('NamedUnit', 'A unit, and its text where the cluster does not know it.', {
  name: text("Without a type it is a service's: `web` is `web.service`."),
  source: optional(sourceText),
  template: optional(sourceText),
})

export const unitChangeRequest = request(
  'UnitChangeRequest',
  'What is done to units: to all of them, or, where any is refused, to none.',
  {
    verb: words(['submit', 'load', 'start', 'stop', 'unload', 'destroy']),
    units: Type.Array(namedUnit, { minItems: 1, maxItems: atMost }),
    replace: optional(flag('For verbs that submit: a unit that is there gets the text that is given.')),
  },
)

export const unitProgressRequest = request('UnitProgressRequest', 'Which units are followed.', {
  units: Type.Array(Type.String(), { minItems: 1, maxItems: atMost }),
  wanted: orNull(desiredState, 'What is wanted of them; null: that they are gone.'),
})

export const machineChangeRequest = request('MachineChangeRequest', 'What is left out stays as it is.', {
  cordoned: optional(flag('Without a cordon nothing is drained: false ends a drain too.')),
  drain: optional(
    Type.Object(
      { rolling: optional(whole(1, 'How many instances of a service go at a time.', 10_000)) },
      {
        additionalProperties: false,
        description: 'Moves everything away that can be elsewhere. Cordons it too.',
      },
    ),
  ),
  metadata: optional(
    map(Type.Unsafe<string | null>(Type.Union([Type.String(), Type.Null()])), {
      maxProperties: atMost,
      description: "Keys to set; null takes a key away, also where the machine's daemon announces it.",
    }),
  ),
})

export const webhookTestRequest = request(
  'WebhookTestRequest',
  'Sends a test to the receivers of a service, or to that at one URL, past their queues.',
  {
    service: text(),
    url: optional(text()),
  },
)

export const webhookRetryRequest = request(
  'WebhookRetryRequest',
  'Tries again what was given up, or one delivery of it, and enables what was disabled.',
  {
    service: text(),
    delivery: optional(text()),
  },
)

export const terminateRequest = request('TerminateRequest', 'How a task is ended.', {
  freeze: optional(flag('Nothing of its scope changes then until it is unfrozen.')),
})

export const scopeRequest = request('ScopeRequest', 'A service, or all of the project.', {
  service: optional(text()),
})

export const moveVolumeRequest = request('MoveVolumeRequest', 'Where a volume goes.', {
  machine: optional(
    text(
      'The id of a machine, the beginning of one, or its hostname; default: the emptiest that takes the instance.',
    ),
  ),
  cancel: optional(flag('Ends the move instead: the volume stays where it is.')),
})
