// Our terminal as the body of an exec: keys as they are pressed, sizes of the window, and the keys that detach.
import { Readable } from 'node:stream'
import type { ExecInput } from '../../api/contract.js'
import { takeKeys } from '../detach-keys.js'

export interface JoinedTerminal {
  readonly size: { readonly columns: number; readonly rows: number }
  readonly body: Readable
  /** Gives the terminal back as it was. */
  release(): void
}

/** Takes the terminal for a program elsewhere: no key is ours any more, Ctrl-C neither. */
export function joinTerminal({ stdin }: { readonly stdin: boolean }): JoinedTerminal {
  const input = process.stdin
  const output = process.stdout
  const size = () => ({ columns: output.columns || 80, rows: output.rows || 24 })
  const body = new Readable({ read: () => stdin && input.resume() })
  const tell = (line: ExecInput): boolean => body.push(`${JSON.stringify(line)}\n`)
  let held = false
  const onTyped = (typed: Buffer): void => {
    const taken = takeKeys(typed, held)
    held = taken.held
    if (taken.send.length > 0 && !tell({ base64: Buffer.from(taken.send).toString('base64') })) input.pause()
    if (taken.detached) tell({ detach: true })
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
