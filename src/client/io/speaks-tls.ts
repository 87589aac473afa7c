// Whether an address wants TLS: one that does hangs up on whoever speaks plain HTTP to it, without a word.
import { connect } from 'node:tls'

const withinMs = 1000

/** Whether what listens at an address answers the beginning of TLS. Nothing is sent that it could take for a request. */
export function speaksTls({
  host,
  port,
}: {
  readonly host: string
  readonly port: number
}): Promise<boolean> {
  return new Promise((resolve) => {
    // Nothing is told to it: who it is makes no difference.
    const socket = connect({ host, port, rejectUnauthorized: false })
    const end = (speaks: boolean): void => {
      socket.destroy()
      resolve(speaks)
    }
    socket.setTimeout(withinMs, () => end(false))
    socket.once('secureConnect', () => end(true))
    socket.on('error', () => end(false))
  })
}
