// What is sealed in the store: secrets of the metadata, those that were made for webhooks and trigger URLs, passwords of registries, and
// the bodies of calls.

import { callBodyPlace } from '../model/call-body.js'
import { loginPlace } from '../model/registry-login.js'
import { triggerSecretPlace } from '../model/trigger-url.js'
import { secretPlace } from '../model/webhook.js'
import { putOf } from './records.js'
import type { Op } from './store.js'
import type { ClusterView, ServiceKey } from './view.js'

/** A secret as it is stored. */
export interface Sealed {
  readonly text: string
  /** It opens nowhere else. */
  readonly place: string
  /** What it is, for people: `meta shop/password`. */
  readonly of: string
  /** Nobody gave it: another one can be made in its place. */
  readonly isMade: boolean
  /** The write that puts another text in its place, and leaves all else of its record as it is. */
  readonly replacedBy: (text: string) => Op
}

type View = Pick<
  ClusterView,
  | 'projectsWithMeta'
  | 'metaOf'
  | 'receivers'
  | 'services'
  | 'triggersOf'
  | 'servicesWithCallBodies'
  | 'callBodiesOf'
  | 'registryLogins'
>

/** Everything that is sealed. */
export function* sealedIn(view: View): Iterable<Sealed> {
  for (const project of view.projectsWithMeta()) yield* ofProject(view, project)
  for (const login of view.registryLogins.values()) {
    yield {
      text: login.sealed,
      place: loginPlace(login.host),
      of: `registry ${login.host}`,
      isMade: false,
      replacedBy: (text) => putOf('registryLogin', { ...login, sealed: text }),
    }
  }
  for (const { receiver } of view.receivers.values()) {
    const { madeSecret, uuid, project, service, webhook } = receiver
    if (madeSecret === null) continue
    yield {
      text: madeSecret,
      place: secretPlace(uuid),
      of: `webhook ${project}/${service} ${webhook.url}`,
      isMade: true,
      replacedBy: (text) => putOf('receiver', { ...receiver, madeSecret: text }),
    }
  }
  for (const service of view.servicesWithCallBodies()) yield* ofBodies(view, service)
  for (const service of view.services.keys()) {
    for (const trigger of view.triggersOf(service).values()) {
      if (trigger.madeSecret === null) continue
      yield {
        text: trigger.madeSecret,
        place: triggerSecretPlace(trigger),
        of: `trigger ${trigger.project}/${trigger.service}/${trigger.name}`,
        isMade: true,
        replacedBy: (text) => putOf('trigger', { ...trigger, madeSecret: text }),
      }
    }
  }
}

function* ofBodies(view: View, service: ServiceKey): Iterable<Sealed> {
  for (const body of view.callBodiesOf(service).values()) {
    yield {
      text: body.sealed,
      place: callBodyPlace(body),
      of: `body of a call of ${body.project}/${body.service}`,
      isMade: false,
      replacedBy: (text) => putOf('callBody', { ...body, sealed: text }),
    }
  }
}

function* ofProject(view: View, project: string): Iterable<Sealed> {
  for (const meta of view.metaOf(project).values()) {
    if (!meta.secret) continue
    yield {
      text: meta.value,
      place: `${project}/${meta.key}`,
      of: `meta ${project}/${meta.key}`,
      isMade: false,
      // Its value is the same: whoever names its CAS id has seen it.
      replacedBy: (text) => putOf('meta', { ...meta, value: text }),
    }
  }
}
