import { expect, test } from 'vitest'
import { useProgram } from './program.js'

const program = useProgram()

test.each([
  ['the help of the program', ['--help']],
  ['the help of a verb', ['service', 'deploy', '--help']],
  ['a version', ['--version']],
  ['a schema', ['manifest', 'schema', 'service']],
  ['an error', ['service', 'nosuchverb']],
])('a reader that has gone ends the command without a word: %s', async (_, args) => {
  const running = program.start(args)
  running.hangUp()
  running.hangUp('stderr')
  const { code, stderr } = await running.ended
  expect(stderr).toBe('')
  expect(code).not.toBeNull()
})
