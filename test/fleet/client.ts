// Requests as fleetctl makes them over its unix socket (client/http.go, the client generated from the schema).
import { request } from 'node:http'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly json: unknown
}

export interface FleetClient {
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
}

/** A client of the daemon on a socket; paths are those below the mount. */
export function fleetClient(socketPath: string, mount = '/fleet/v1'): FleetClient {
  return {
    ask: (method, path, body, headers) =>
      new Promise((resolve, reject) => {
        const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
        const outgoing = request(
          {
            socketPath,
            method,
            path: `${mount}${path}`,
            headers: {
              host: 'domain-sock',
              'user-agent': 'google-api-go-client/0.5',
              ...(text !== undefined && {
                'content-type': 'application/json',
                'content-length': Buffer.byteLength(text),
              }),
              ...headers,
            },
          },
          (response) => {
            let got = ''
            response.setEncoding('utf8')
            response.on('data', (chunk: string) => {
              got += chunk
            })
            response.on('end', () => {
              const json: unknown = got === '' ? undefined : JSON.parse(got)
              resolve({ status: response.statusCode ?? 0, headers: response.headers, text: got, json })
            })
          },
        )
        outgoing.on('error', reject)
        outgoing.end(text)
      }),
  }
}
