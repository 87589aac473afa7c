// Follows the proxy's log of requests, across the files that it is rolled over to.
import { type FileHandle, open, stat } from 'node:fs/promises'
import { errorCode } from '../../lib/io/error-code.js'
import { ownTurn } from '../../lib/io/turns.js'

/** So much is read and told of in one turn of the event loop. */
const pieceBytes = 512 * 1024
/** A line that is longer is no line of a request: the proxy takes no more than a megabyte of headers. */
const longestLine = 4 * 1024 * 1024
/** Lines that are no requests may be short, and are dear to find out about. */
const linesInTurn = 1000
const newline = 0x0a

export class LogFollower {
  readonly #path: string
  readonly #onLine: (line: string) => void
  #file: { readonly handle: FileHandle; readonly inode: number } | null = null
  #position = 0
  #rest = Buffer.alloc(0)
  /** What is there before it begins was counted by somebody else, or by nobody. */
  #hasBegun = false

  constructor(path: string, onLine: (line: string) => void) {
    this.#path = path
    this.#onLine = onLine
  }

  /** Tells of all lines that are whole by now. Not to be called again before it has ended. */
  async read(): Promise<void> {
    const there = await this.#found()
    if (this.#file === null) {
      if (there === null) {
        this.#hasBegun = true
        return
      }
      await this.#open(this.#hasBegun ? 0 : there.size)
    }
    // The one before has its last lines until the new one has its first.
    await this.#readOn()
    if (there !== null && there.ino !== this.#file?.inode) {
      await this.close()
      await this.#open(0)
      await this.#readOn()
    } else if (there !== null && there.size < this.#position) this.#begin(0)
  }

  async close(): Promise<void> {
    await this.#file?.handle.close()
    this.#file = null
  }

  async #found() {
    try {
      return await stat(this.#path)
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null
      throw error
    }
  }

  async #open(from: number): Promise<void> {
    const handle = await open(this.#path, 'r')
    this.#file = { handle, inode: (await handle.stat()).ino }
    this.#begin(from)
  }

  #begin(from: number): void {
    this.#hasBegun = true
    this.#position = from
    this.#rest = Buffer.alloc(0)
  }

  async #readOn(): Promise<void> {
    for (;;) {
      const { bytesRead, buffer } = (await this.#file?.handle.read(
        Buffer.allocUnsafe(pieceBytes),
        0,
        pieceBytes,
        this.#position,
      )) ?? { bytesRead: 0, buffer: Buffer.alloc(0) }
      if (bytesRead === 0) return
      this.#position += bytesRead
      await this.#tell(buffer.subarray(0, bytesRead))
      if (bytesRead < pieceBytes) return
      await ownTurn()
    }
  }

  async #tell(piece: Buffer): Promise<void> {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    let begin = 0
    let told = 0
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, begin)) {
      this.#onLine(bytes.toString('utf8', begin, end))
      begin = end + 1
      if (++told % linesInTurn === 0) await ownTurn()
    }
    const rest = bytes.subarray(begin)
    this.#rest = rest.length > longestLine ? Buffer.alloc(0) : Buffer.from(rest)
  }
}
