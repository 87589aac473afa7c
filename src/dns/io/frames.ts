// Messages over TCP: each with its length in front (RFC 1035, section 4.2.2).

export function framed(message: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(message.length + 2)
  frame.writeUInt16BE(message.length, 0)
  message.copy(frame, 2)
  return frame
}

/** Puts messages together out of what comes. */
export class MessageReader {
  #rest: Buffer = Buffer.alloc(0)

  /** The messages that are whole with this chunk. */
  read(chunk: Buffer): readonly Buffer[] {
    let rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const messages: Buffer[] = []
    while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
      const end = 2 + rest.readUInt16BE(0)
      messages.push(rest.subarray(2, end))
      rest = rest.subarray(end)
    }
    this.#rest = rest
    return messages
  }
}
