// A server that changes the protocol of a connection though nobody asked for that: Node then ends the connection without a
// word, and whoever waits for an answer waits for ever, beyond every signal and time limit.
import type { ClientRequest } from 'node:http'

/** Has a request end with an error if it is answered by a change of protocol (101, with `Upgrade`). */
export function refuseUpgrade(request: ClientRequest, refuse: (error: Error) => void): void {
  request.on('upgrade', ({ statusCode }, socket) => {
    socket.destroy()
    refuse(new Error(`it answers ${statusCode ?? 101}, a change of protocol that was not asked for`))
  })
}
