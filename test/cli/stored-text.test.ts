// Text that somebody stored, and what a terminal would make of it.
import { expect, test } from 'vitest'
import { printText } from '../../src/cli/io/shell.js'
import type { Terminal } from '../../src/cli/io/terminal.js'
import { plainPaint } from '../../src/cli/paint.js'

function printed(text: string, width: number | null): string {
  const out: string[] = []
  const nothing = (): void => {}
  const terminal: Terminal = {
    ...{ err: nothing, note: nothing, paint: plainPaint, liveBlock: () => null },
    out: (written) => void out.push(written),
    width: () => width,
  }
  printText({ terminal }, text)
  return out.join('')
}

const text = 'a=\u001b]0;title\u0007\u009b31m\r\n\tb=ü\n'

test('a terminal is sent nothing that it would act on', () => {
  expect(printed(text, 80)).toBe('a= ]0;title  31m \n\tb=ü\n')
})

test('a program gets every byte', () => {
  expect(printed(text, null)).toBe(text)
})
