// What is no CAS id is a mistake in the command, and no sign that somebody else has changed the key.
import { describe, expect, it } from 'vitest'
import { useProgram } from './program.js'

const program = useProgram()
const none = { env: { MARIPOSA_ENDPOINT: 'unix:///nowhere/no-daemon.sock' } }
const said = async (...words: string[]) => {
  const { code, stderr } = await program.run(['meta', ...words], none)
  return [code, stderr]
}

describe('a CAS id', () => {
  it('is none where a value with blanks lacks its quotes', async () => {
    expect(await said('set', 'motto', 'hello', 'world')).toEqual([
      2,
      "mariposa: 'world' is not a CAS id\n  quote a value with blanks; the CAS id after it is the one that meta get --json prints\n",
    ])
  })

  it('is asked for in full, of one form, wherever it stands', async () => {
    const where = '  mariposa meta get KEY --json shows it, as casId\n'
    for (const word of ['bogus', '1f0b2c3d', '1F0B2C3D-0000-5000-8000-000000000000']) {
      const first = `mariposa: '${word}' is not a CAS id\n`
      expect(await said('set', 'motto', 'hello', '--cas', word)).toEqual([2, `${first}${where}`])
      expect(await said('rm', 'motto', '--cas', word)).toEqual([2, `${first}${where}`])
      expect(await said('rm', 'motto', word)).toEqual([
        2,
        `${first}  only one key can be removed at a time; the word after it is its CAS id, which meta get --json prints\n`,
      ])
    }
  })

  it('is taken behind the value or in the option, and not in both', async () => {
    const id = '1f0b2c3d-0000-5000-8000-000000000000'
    const [code, twice] = await said('set', 'motto', 'hello', id, '--cas', id)
    expect([code, twice]).toEqual([2, 'mariposa: the CAS id is given twice\n  leave --cas out\n'])
    // It gets as far as the daemon, which is not there.
    for (const words of [
      ['set', 'motto', 'hello', id],
      ['rm', 'motto', '--cas', id],
    ])
      expect((await said(...words))[1]).toContain('no-daemon.sock')
  })
})
