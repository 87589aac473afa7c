// What an e-mail says of an event: made from the event's body, so that every attempt sends the same.
import { addressOf } from '../model/webhook.js'

/** A mail without what the server adds. */
interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Stays the same when it is sent again, so that a mailbox can drop the second. */
  readonly messageId: string
}

/** Of an event's body, what a mail shows. */
interface Told {
  readonly source: string
  readonly subject: string
  readonly time: string
  readonly data: {
    readonly message: string
    readonly service: { readonly scale?: number; readonly ordinal?: number | null }
  }
}

const subjectAtMost = 150

/** The mail for a delivery to `mailto:…`. */
export function mailOf({
  url,
  id,
  body,
}: {
  readonly url: string
  readonly id: string
  readonly body: string
}): Mail {
  const { source, subject: service, time, data } = JSON.parse(body) as Told
  const to = addressOf(url)
  const line = `[mariposa] ${service}: ${data.message}`.replace(/[\r\n]+/g, ' ')
  const { scale, ordinal } = data.service
  const facts = [
    ['Service', service],
    ['Version', ordinal],
    ['Scale', scale],
    ['Time', time],
    ['Cluster', source.replace(/^urn:mariposa:cluster:/, '')],
  ].filter(([, value]) => value !== undefined && value !== null)
  return {
    to,
    subject: line.length > subjectAtMost ? `${line.slice(0, subjectAtMost - 1)}…` : line,
    text: [
      data.message,
      '',
      ...facts.map(([name, value]) => `${`${name}:`.padEnd(9)}${value}`),
      '',
      `The manifest of ${service} names ${to} under autoscale.notify_email.`,
      '',
    ].join('\n'),
    messageId: `<${id}.${spacelessOf(service)}@mariposa>`,
  }
}

function spacelessOf(text: string): string {
  return text.replace(/[^A-Za-z0-9.-]/g, '.')
}
