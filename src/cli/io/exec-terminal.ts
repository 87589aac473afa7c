// Our terminal as the body of an exec: keys as they are pressed, sizes of the window, and the keys that detach.
import { Readable } from 'node:stream'
import type { ExecInput } from '../../contract/contract.js'
import { takeKeys } from '../detach-keys.js'
import { outputStream } from './output.js'

export interface JoinedTerminal {
  readonly size: { readonly columns: number; readonly rows: number }
  readonly body: Readable
  /** Resolves when the keys were typed that detach, which the body says then, too. */
  readonly detached: Promise<void>
  /** Gives the terminal back as it was. */
  release(): void
}

export interface JoinOptions {
  /** Whether what is typed is handed on. */
  readonly stdin: boolean
  /** Whether keys leave the program; else they are its own like all others. */
  readonly detaches: boolean
}

/**
 * Takes the terminal for a program elsewhere: no key is ours any more, Ctrl-C neither, but those that detach. They are
 * looked for also while nothing of what was typed is taken, so that it is read all the same, and waits here: what somebody
 * types or pastes has an end.
 */
export function joinTerminal({ stdin, detaches }: JoinOptions): JoinedTerminal {
  const input = process.stdin
  const output = outputStream('stdout')
  const size = () => ({ columns: output.columns || 80, rows: output.rows || 24 })
  const body = new Readable({ read: () => {} })
  const tell = (line: ExecInput): boolean => body.push(`${JSON.stringify(line)}\n`)
  let onDetached = (): void => {}
  const detached = new Promise<void>((resolve) => {
    onDetached = resolve
  })
  let held = false
  const onTyped = (typed: Buffer): void => {
    const taken = detaches ? takeKeys(typed, held) : { send: typed, held: false, detached: false }
    held = taken.held
    if (taken.send.length > 0) tell({ base64: Buffer.from(taken.send).toString('base64') })
    if (!taken.detached) return
    input.off('data', onTyped)
    tell({ detach: true })
    onDetached()
  }
  const onResize = (): void => void tell(size())
  const restore = (): void => {
    if (input.isTTY) input.setRawMode(false)
  }
  if (stdin) {
    if (input.isTTY) input.setRawMode(true)
    input.on('data', onTyped)
    input.on('end', () => body.push(null))
  }
  output.on('resize', onResize)
  process.on('exit', restore)
  return {
    size: size(),
    body,
    detached,
    release: () => {
      restore()
      process.off('exit', restore)
      output.off('resize', onResize)
      input.off('data', onTyped)
      input.pause()
      body.destroy()
    },
  }
}
