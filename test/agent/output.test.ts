import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lastOutput, outputKept } from '../../src/agent/output.js'
import type { OutputLine } from '../../src/model/unit.js'

const line = (text: string, at = 0): OutputLine => ({ at, stream: 'stdout', line: text })

it('what is kept of an output is its end, within both limits', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 300 }), { maxLength: 300 }), (texts) => {
      const lines = texts.map(line)
      const kept = lastOutput(lines)
      expect(kept).toEqual(lines.slice(lines.length - kept.length))
      expect(kept.length).toBeLessThanOrEqual(outputKept.lines)
      const size = kept.reduce((sum, one) => sum + one.line.length, 0)
      expect(size).toBeLessThanOrEqual(outputKept.characters)
      // One line more would be too much.
      const next = lines.at(-kept.length - 1)
      if (kept.length < lines.length && kept.length < outputKept.lines)
        expect(size + (next?.line.length ?? 0)).toBeGreaterThan(outputKept.characters)
    }),
  )
})

it('of a last line that alone is too long the end is kept', () => {
  const [kept, ...others] = lastOutput([line('first'), line(`${'x'.repeat(outputKept.characters)}end`)])
  expect(others).toEqual([])
  expect(kept?.line).toHaveLength(outputKept.characters)
  expect(kept?.line.endsWith('end')).toBe(true)
})
