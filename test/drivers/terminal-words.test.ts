import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inTerminal } from '../../src/drivers/terminal-words.js'
import { shellQuoted } from '../../src/lib/shell-quote.js'

test('a word comes through the shell as it is', () => {
  const word = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'))
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
      const line = `printf '%s\\001' ${words.map(shellQuoted).join(' ')}`
      const printed = execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' })
      expect(printed).toBe(words.map((one) => `${one}\u0001`).join(''))
    }),
    { numRuns: 50 },
  )
})

test('a program keeps its own SHELL, or has none, and script gets one that can read the line', () => {
  const terminal = { type: 'xterm', size: { columns: 80, rows: 24 } }
  const own = inTerminal(['id', '-u'], { SHELL: '/bin/zsh', A: 'b' }, terminal)
  expect(own.environment).toEqual({ SHELL: '/bin/sh', A: 'b', TERM: 'xterm' })
  expect(own.argv[5]).toBe("/bin/stty rows 24 cols 80 echo; SHELL='/bin/zsh'; exec 'id' '-u'")
  expect(inTerminal(['id'], {}, terminal).argv[5]).toContain('unset SHELL; exec')
})
