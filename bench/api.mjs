// Asks a daemon over its unix socket.
import { get, request } from 'node:http'

/** The status of an answer; 0 where nobody answers. */
export function status(socketPath, path) {
  return new Promise((resolve) => {
    get({ socketPath, path }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
    }).on('error', () => resolve(0))
  })
}

/** The JSON of an answer, null where there is none; rejects with the text of one that is no success. */
export function call(socketPath, method, path, body) {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request({ socketPath, method, path, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () =>
        response.statusCode < 300 ? resolve(text === '' ? null : JSON.parse(text)) : reject(new Error(text)),
      )
    })
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
