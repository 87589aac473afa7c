// How files of the store are written: one frame per line, `LLLLLLLL CCCCCCCC payload\n`, where L is the payload's
// length in bytes and C the CRC-32 of L and payload, both in lower-case hex, and the payload is JSON. So there is
// neither a line break nor a NUL within a frame, and a person can read it.
import { crc32 } from 'node:zlib'

const headerBytes = 18
const lineBreak = 0x0a
const space = 0x20
/** What a disk writes at once; sectors of a file that were never written read as zeros. */
const sectorBytes = 512

/** A frame around a value. */
export function frameOf(value: unknown): Buffer {
  const payload = JSON.stringify(value)
  const bytes = Buffer.byteLength(payload)
  const frame = Buffer.allocUnsafe(headerBytes + bytes + 1)
  frame.write(`${hex8(bytes)} `, 0, 'latin1')
  frame.write(payload, headerBytes, 'utf8')
  frame[headerBytes + bytes] = lineBreak
  frame.write(`${hex8(checksum(frame, 0, bytes))} `, 9, 'latin1')
  return frame
}

type Scan =
  | { readonly kind: 'frame'; readonly value: unknown; readonly next: number }
  | { readonly kind: 'end' }
  /** What a write leaves that was cut short by the end of the process or of the power. */
  | { readonly kind: 'torn' }
  /** `isLast`: nothing sound follows, so that the file is whole without the rest. */
  | { readonly kind: 'damaged'; readonly problem: string; readonly isLast: boolean }

/** Reads the frame at an offset. */
export function scanFrame(file: Buffer, at: number): Scan {
  if (at === file.length) return { kind: 'end' }
  const bytes = validLength(file, at)
  if (bytes !== null) {
    const next = at + headerBytes + bytes + 1
    return { kind: 'frame', value: JSON.parse(file.toString('utf8', at + headerBytes, next - 1)), next }
  }
  if (hasFrameAfter(file, at))
    return { kind: 'damaged', problem: 'a bad record with good ones after it', isLast: false }
  if (hasBlankSector(file, at) || isBeginning(file, at)) return { kind: 'torn' }
  const problem = 'the last record is complete but its checksum does not match'
  return { kind: 'damaged', problem, isLast: true }
}

/** The payload's length of the frame at an offset, or null if there is no whole and sound frame. */
function validLength(file: Buffer, at: number): number | null {
  if (at + headerBytes >= file.length || file[at + 8] !== space || file[at + 17] !== space) return null
  const bytes = parseHex8(file, at)
  if (bytes === null || file[at + headerBytes + bytes] !== lineBreak) return null
  return parseHex8(file, at + 9) === checksum(file, at, bytes) ? bytes : null
}

/** The next frame is only written when the one before is durable, so one that follows proves that this was once whole. */
function hasFrameAfter(file: Buffer, at: number): boolean {
  for (let from = at + 1; from + headerBytes < file.length; from++) {
    if (validLength(file, from) !== null) return true
  }
  return false
}

/** A power cut may leave the file's length without all of its content; no sound frame has a NUL. */
function hasBlankSector(file: Buffer, at: number): boolean {
  for (let from = at; from < file.length; ) {
    const to = Math.min(file.length, from - (from % sectorBytes) + sectorBytes)
    if (file.subarray(from, to).every((byte) => byte === 0)) return true
    from = to
  }
  return false
}

/** Whether the rest of the file could be the beginning of a sound frame. */
function isBeginning(file: Buffer, at: number): boolean {
  const rest = file.toString('latin1', at)
  if (rest.length < headerBytes) return headerBeginning.test(rest)
  const bytes = parseHex8(file, at)
  return (
    headerBeginning.test(rest.slice(0, headerBytes)) &&
    !rest.includes('\n') &&
    rest.length <= headerBytes + (bytes ?? 0)
  )
}

const headerBeginning = /^(?:[0-9a-f]{0,8}|[0-9a-f]{8} [0-9a-f]{0,8}|[0-9a-f]{8} [0-9a-f]{8} )$/

function checksum(file: Buffer, at: number, bytes: number): number {
  return crc32(file.subarray(at + headerBytes, at + headerBytes + bytes), crc32(file.subarray(at, at + 8)))
}

function hex8(value: number): string {
  return value.toString(16).padStart(8, '0')
}

function parseHex8(file: Buffer, at: number): number | null {
  let value = 0
  for (let i = at; i < at + 8; i++) {
    const byte = file[i] ?? 0
    const digit =
      byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : null
    if (digit === null) return null
    value = value * 16 + digit
  }
  return value
}
