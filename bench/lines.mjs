// A client that reads no more of an answer than its status and its length: one that does more would measure itself.
import { connect } from 'node:net'

/** One connection; `ask` resolves when the answer is there. With `once` each request has a connection of its own. */
export function openLine(path, { once = false } = {}) {
  let socket = null
  let answered = null
  let missing = 0
  const open = () => {
    socket = connect({ path })
    socket.on('error', (error) => answered?.reject(error))
    socket.on('data', take)
  }
  const take = (chunk) => {
    if (missing === 0) {
      if (!/^HTTP\/1\.1 (20|304)/.test(chunk.toString('latin1', 0, 12)))
        answered.reject(new Error(chunk.toString()))
      missing = missingOf(chunk)
    } else missing -= chunk.length
    if (missing > 0) return
    if (once) socket.destroy()
    answered.resolve()
  }
  const ask = (method, target, { body = '', headers = '' } = {}) =>
    new Promise((resolve, reject) => {
      answered = { resolve, reject }
      if (once || socket === null) open()
      const about = body === '' ? '' : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`
      socket.write(
        `${method} ${target} HTTP/1.1\r\nhost: localhost\r\n${once ? 'connection: close\r\n' : ''}${headers}${about}\r\n${body}`,
      )
    })
  return { ask, close: () => socket?.destroy() }
}

/** How many bytes of an answer are to come after its first piece, which has all of the head. */
function missingOf(chunk) {
  const at = chunk.indexOf('\r\n\r\n')
  const head = chunk.subarray(0, at).toString('latin1')
  return Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) - (chunk.length - at - 4)
}
