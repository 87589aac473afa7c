// Who is mailed when a trigger fires (`autoscale.notify_email`): receivers of the outbox, as webhooks are.
import type { ServiceManifest } from '../manifest/schema.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { mailUrlOf, type Webhook } from '../model/webhook.js'

/** The receivers for the addresses of a manifest, each once. */
export function compileMails({ autoscale }: ServiceManifest): readonly Webhook[] {
  return [...new Set(autoscale?.notify_email ?? [])].map((address) => ({
    url: mailUrlOf(address),
    events: ['autoscale'],
    // Nothing is signed, so no secret is to be made either.
    secret: [],
    headers: {},
    allowPrivate: false,
  }))
}

/** What is told where a daemon has nobody to hand e-mails to. Code: `compile/no-mail-server`. */
export function mailWarnings({ autoscale }: ServiceManifest, canMail: boolean): readonly Diagnostic[] {
  if (canMail || (autoscale?.notify_email ?? []).length === 0) return []
  return [
    {
      code: 'compile/no-mail-server',
      severity: 'warning',
      message: 'this daemon has no mail server: each e-mail waits for one for a day',
      path: '/autoscale/notify_email',
      hint: 'start the daemons with --smtp and --smtp-from',
    },
  ]
}
