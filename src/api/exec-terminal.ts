// What a caller of exec says of a terminal.
import type { TerminalSize } from '../agent/driver.js'
import type { Problem } from '../changes/problem.js'
import type { ExecInput } from '../contract/contract.js'

export interface TerminalQuerystring {
  readonly tty?: string
  readonly columns?: string
  readonly rows?: string
  readonly term?: string
}

export interface TerminalAsked {
  readonly type: string
  readonly size: TerminalSize
}

/** The terminal that a query asks for; null for none. */
export function readTerminal(query: TerminalQuerystring): TerminalAsked | null | Problem {
  if (query.tty !== 'true') return null
  const size = { columns: Number(query.columns ?? 80), rows: Number(query.rows ?? 24) }
  const { term = 'xterm' } = query
  if (!isSize(size)) return badRequest('columns and rows have to be whole numbers from 1 to 65535')
  if (!/^[\w.+-]{1,64}$/.test(term)) return badRequest('term has to be the name of a terminal')
  return { type: term, size }
}

/** One line of the body of such a request; null for what is none. */
export function readExecInput(line: string): ExecInput | null {
  try {
    const value = JSON.parse(line) as Partial<
      Record<'base64' | 'columns' | 'rows' | 'detach', unknown>
    > | null
    if (typeof value?.base64 === 'string') return { base64: value.base64 }
    if (value?.detach === true) return { detach: true }
    const size = { columns: Number(value?.columns), rows: Number(value?.rows) }
    return isSize(size) ? size : null
  } catch {
    return null
  }
}

function isSize({ columns, rows }: TerminalSize): boolean {
  return [columns, rows].every((n) => Number.isInteger(n) && n >= 1 && n <= 65_535)
}

function badRequest(message: string): Problem {
  return { status: 400, code: 'api/bad-request', message }
}
