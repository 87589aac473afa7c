// Requests, one after another from each of several clients, until they are told to stop.
import { Agent, type IncomingHttpHeaders, request } from 'node:http'

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface Asked {
  /** This machine's own where it is left out. */
  readonly address?: string
  readonly port: number
  readonly host: string
  readonly path?: string
  readonly agent?: Agent
  readonly headers?: Readonly<Record<string, string>>
  /** Makes it a POST. */
  readonly body?: Buffer
}

export function send({
  address = '127.0.0.1',
  port,
  host,
  path = '/',
  agent,
  headers,
  body,
}: Asked): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(body.length) }
    const asked = request({
      ...{ host: address, port, path, method: body === undefined ? 'GET' : 'POST' },
      agent: agent ?? false,
      headers: { ...headers, host, ...length },
    })
    asked.on('error', reject)
    asked.on('response', (response) => {
      response.setEncoding('utf8')
      response.toArray().then((parts) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: parts.join('') })
      }, reject)
    })
    asked.end(body)
  })
}

export interface Load {
  /** How often each text was answered. */
  readonly answers: ReadonlyMap<string, number>
  /** Resolves once more requests than now have been answered with a text. */
  answered(text: string): Promise<void>
  /** Ends once all that is under way is answered; all that failed. */
  end(): Promise<readonly string[]>
}

const body = Buffer.alloc(3000, 'x')

/**
 * Each third request is a POST, each tenth takes the program a while. Those that fail are told with a path of their own. Without
 * `keepAlive` each has a connection of its own.
 */
export function startLoad(asked: Asked, clients = 20, keepAlive = true): Load {
  const agent = new Agent({ keepAlive, maxSockets: clients })
  const answers = new Map<string, number>()
  const failures: string[] = []
  const waiting = new Set<{ readonly text: string; readonly over: () => void }>()
  let isOver = false
  const note = (text: string): void => {
    answers.set(text, (answers.get(text) ?? 0) + 1)
    for (const one of waiting) if (one.text === text) one.over()
  }
  const client = async (first: number): Promise<void> => {
    for (let n = first; !isOver; n++) {
      const isPost = n % 3 === 0
      const path = `${n % 10 === 0 ? '/slow' : '/'}?${first}-${n}`
      const what = `${isPost ? 'POST' : 'GET'} ${path}`
      try {
        const { status, text } = await send({ ...asked, path, agent, ...(isPost && { body }) })
        if (status === 200) note(text)
        else failures.push(`${what}: ${status} ${text}`)
      } catch (error) {
        failures.push(`${what}: ${String(error)}`)
      }
    }
  }
  const clientsDone = Promise.all(Array.from({ length: clients }, (_, n) => client(n)))
  return {
    answers,
    answered: (text) =>
      new Promise((resolve) => {
        const one = {
          text,
          over: () => {
            waiting.delete(one)
            resolve()
          },
        }
        waiting.add(one)
      }),
    end: async () => {
      isOver = true
      await clientsDone
      agent.destroy()
      return failures
    },
  }
}
