// Makes letters: fills in what of a webhook is kept secret until it is sent.
import type { DeferredText } from '../../model/deferred-text.js'
import { isMailbox, type Receiver, secretPlace } from '../../model/webhook.js'
import { MissingMetaError, resolveDeferred } from '../../store/io/deferred-text.js'
import { type SecretBox, SecretError } from '../../store/io/secret-box.js'
import type { ClusterView } from '../../store/view.js'
import { secretProblem } from '../signature.js'
import type { Letter } from './sender.js'

/** The letter for a body, or why there can be none now. */
export function letterFor(
  view: ClusterView,
  secrets: SecretBox,
  receiver: Receiver,
  { id, body }: { readonly id: string; readonly body: string },
): Letter | string {
  const { webhook, project } = receiver
  if (isMailbox(webhook.url))
    return { url: webhook.url, id, body, secret: '', headers: {}, allowPrivate: false }
  try {
    const fill = (text: DeferredText): string => resolveDeferred(text, view, project, secrets)
    const secret =
      webhook.secret === null
        ? secrets.open(receiver.madeSecret ?? '', secretPlace(receiver.uuid))
        : fill(webhook.secret)
    const problem = secretProblem(secret)
    if (problem !== null) return `its secret ${problem}`
    const headers = Object.entries(webhook.headers).map(([name, text]) => [name, fill(text)] as const)
    const bad = headers.find(([, value]) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    if (bad !== undefined) return `the value of its header ${bad[0]} is not allowed in a request`
    const { url, allowPrivate } = webhook
    return { url, id, body, secret, headers: Object.fromEntries(headers), allowPrivate }
  } catch (error) {
    if (error instanceof MissingMetaError || error instanceof SecretError) return error.message
    throw error
  }
}
