import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseEnvironmentFile } from '../../../src/drivers/docker/environment-file.js'
import {
  addFrame,
  closeLines,
  endOfLog,
  type Frame,
  longestLine,
  noOpenLines,
  partOf,
  type StampedLine,
  sinceStamp,
  takeFrames,
} from '../../../src/drivers/docker/frames.js'

const stamp = '2026-11-21T09:18:03.294590656Z'
const streams = fc.constantFrom('stdout' as const, 'stderr' as const)

describe("Docker's frames", () => {
  it('come out as they went in, however the bytes are cut up', () => {
    const frames = fc.array(fc.record({ stream: streams, bytes: fc.uint8Array({ maxLength: 30 }) }))
    fc.assert(
      fc.property(frames, fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }), (sent, cuts) => {
        expect(receive(concat(sent.map(encode)), cuts)).toEqual(sent)
      }),
    )
  })

  it('keep only so much of a line that does not end, and say how much they left out', () => {
    const part = frame('stdout', 'x'.repeat(64 * 1024))
    let open = noOpenLines
    for (let n = 0; n < 100; n += 1) open = addFrame(open, part).open
    expect(open.stdout?.parts.reduce((sum, { length }) => sum + length, 0)).toBe(longestLine)
    const { line } = addFrame(open, frame('stdout', 'end\n'))
    const left = 100 * 64 * 1024 + 3 - longestLine
    expect(line?.line.slice(longestLine)).toBe(` [${left} bytes more are left out]`)
    expect(read([frame('stdout', 'next\n')]).map((one) => one.line)).toEqual(['next'])
  })

  it('tell how many of them the last lines are, where parts of both outputs lie between each other', () => {
    const part = (stream: Frame['stream'], text: string) => partOf(frame(stream, text))
    const parts = [
      ...[part('stdout', 'end of before\n'), part('stdout', 'a'), part('stderr', 'b'), part('stdout', 'a\n')],
      ...[part('stderr', 'b\n'), part('stdout', 'c\n'), part('stdout', 'not ended')],
    ]
    expect(endOfLog(parts, true, 1)?.frames).toBe(2)
    expect(endOfLog(parts, true, 2)?.frames).toBe(5)
    expect(endOfLog(parts, true, 3)?.frames).toBe(6)
    expect(endOfLog(parts, true, 9)?.frames).toBe(7)
    // Of what may lie before: the beginnings of the first line of each output.
    expect(endOfLog(parts, false, 1)?.frames).toBe(2)
    expect(endOfLog(parts, false, 2)).toBe(null)
  })

  it('join the parts of a long line, though one ends within a character', () => {
    const [euro1, euro2] = [
      new TextEncoder().encode('a€').subarray(0, 2),
      new TextEncoder().encode('a€').subarray(2),
    ]
    const lines = read([
      frame('stdout', euro1),
      frame('stderr', 'other\n'),
      frame('stdout', concat([euro2, bytesOf('\n')])),
    ])
    expect(lines.map(({ stream, line }) => [stream, line])).toEqual([
      ['stderr', 'other'],
      ['stdout', 'a€'],
    ])
  })

  it('keep the last line though nothing ended it', () => {
    expect(read([frame('stdout', 'rest')])).toMatchObject([{ line: 'rest', at: Date.parse(stamp), stamp }])
  })

  it('keep empty lines and spaces', () => {
    expect(read([frame('stdout', '\n'), frame('stdout', '  x \n')]).map(({ line }) => line)).toEqual([
      '',
      '  x ',
    ])
  })

  it('can be asked for again from the nanosecond on', () => {
    expect(sinceStamp(stamp)).toBe(`${Math.floor(Date.parse(stamp) / 1000)}.294590656`)
  })
})

describe('an environment file', () => {
  it('is taken as it is, line by line', () => {
    expect(parseEnvironmentFile('# c\nA=1\n\n B="x y"\r\nC=a=b\nD=\n')).toEqual({
      environment: { A: '1', B: '"x y"', C: 'a=b', D: '' },
      problems: [],
    })
  })

  it('has no names without a value', () => {
    expect(parseEnvironmentFile('A=1\nHOME\n').problems).toEqual(['line 2 is not of the form NAME=value'])
  })
})

function encode({ stream, bytes }: Frame): Uint8Array {
  const header = new Uint8Array(8)
  header[0] = stream === 'stdout' ? 1 : 2
  new DataView(header.buffer).setUint32(4, bytes.length)
  return concat([header, bytes])
}

function receive(bytes: Uint8Array, cuts: readonly number[]): readonly Frame[] {
  const frames: Frame[] = []
  let rest = new Uint8Array()
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = cuts[n % cuts.length] ?? 1
    const taken = takeFrames(concat([rest, bytes.subarray(at, at + size)]))
    frames.push(
      ...taken.frames.map(({ stream, bytes: content }) => ({ stream, bytes: Uint8Array.from(content) })),
    )
    rest = Uint8Array.from(taken.rest)
    at += size
  }
  return frames
}

function read(frames: readonly Frame[]): readonly StampedLine[] {
  const lines: StampedLine[] = []
  let open = noOpenLines
  for (const next of frames) {
    const added = addFrame(open, next)
    open = added.open
    if (added.line !== null) lines.push(added.line)
  }
  return [...lines, ...closeLines(open)]
}

function frame(stream: Frame['stream'], content: string | Uint8Array): Frame {
  const bytes = typeof content === 'string' ? bytesOf(content) : content
  return { stream, bytes: concat([bytesOf(`${stamp} `), bytes]) }
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}
