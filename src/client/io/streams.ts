// Answers that go on: newline-separated JSON and server-sent events.
import type { IncomingMessage } from 'node:http'
import type { Form } from '../../lib/form.js'
import type { Endpoint } from '../endpoint.js'
import { type Credentials, chunksOf, connectionError, otherForm, parseJson } from './http.js'

/** Each line of an answer as JSON; ends when the daemon ends the answer, throws ClientError when it is cut off. */
export async function* readJsonLines<T>(
  answer: IncomingMessage,
  form: Form<T>,
  endpoint: Endpoint,
  credentials: Credentials,
): AsyncGenerator<T, void, undefined> {
  for await (const line of readLines(answer, endpoint, credentials)) {
    if (line !== '') yield parseJson<T>(line, form, answer, endpoint)
  }
}

/** The data of each server-sent event as JSON (WHATWG HTML, section 9.2); comments and other fields are skipped. */
export async function* readServerSentEvents<T>(
  answer: IncomingMessage,
  form: Form<T>,
  endpoint: Endpoint,
  credentials: Credentials,
): AsyncGenerator<T, void, undefined> {
  const type = answer.headers['content-type'] ?? ''
  if (!type.startsWith('text/event-stream')) {
    answer.destroy()
    throw otherForm(endpoint, answer)
  }
  let data: string[] = []
  for await (const line of readLines(answer, endpoint, credentials)) {
    if (line === '') {
      if (data.length > 0) yield parseJson<T>(data.join('\n'), form, answer, endpoint)
      data = []
    } else if (line.startsWith('data:')) {
      data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
    }
  }
}

async function* readLines(
  answer: IncomingMessage,
  endpoint: Endpoint,
  credentials: Credentials,
): AsyncGenerator<string, void, undefined> {
  let rest = ''
  answer.setEncoding('utf8')
  try {
    for await (const chunk of chunksOf(answer, endpoint, credentials, true)) {
      const lines = (rest + (chunk as string)).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line
    }
  } catch (cause) {
    throw connectionError(endpoint, cause)
  }
  if (rest !== '') yield rest
}
