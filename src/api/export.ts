// The text of an export: every record of a cluster as of one revision. A line of JSON each: first what it is, then a pair
// of key and value for each record, and last how many there are and their digest, so that what is whole can be told.

import type { ExportFooter, ExportHeader } from '../contract/contract.js'
import { openSha1 } from '../lib/hash.js'
import { parseJsonOrNone } from '../lib/json.js'
import type { ManifestSettings } from '../manifest/settings.js'
import { recordFormat } from '../store/reading.js'
import { kindOfKey } from '../store/records.js'
import type { Entry } from '../store/store.js'

/** What comes first; goes up with what a program of the format before could not read. */
const exportFormat = 1

/** What an export says of itself. */
interface ExportOf {
  readonly program: string
  readonly cluster: string
  readonly revision: number
  /** The time of the cluster, as RFC 3339 text. */
  readonly at: string
  readonly manifests: ManifestSettings
}

/** The values of an export's lines, made as they are asked for. */
export function* exportLines(of: ExportOf, entries: Iterable<Entry>, history: boolean): Iterable<unknown> {
  const digest = openSha1()
  const header: ExportHeader = { mariposaExport: exportFormat, records: recordFormat, ...of, history }
  digest.add(lineOf(header))
  yield header
  let records = 0
  for (const { key, value } of entries) {
    if (!history && isHistory(key)) continue
    const line = [key, value]
    digest.add(lineOf(line))
    records += 1
    yield line
  }
  yield { end: true, count: records, sha1: digest.hex() } satisfies ExportFooter
}

/** Events, and what was sent or is to be sent of them. */
function isHistory(key: string): boolean {
  const kind = kindOfKey(key)
  return kind === 'event' || kind === 'delivery'
}

function lineOf(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

/** Why a text is no export, at which line; `newer`: a later program wrote it. */
interface NoExport {
  readonly kind: 'damaged' | 'newer'
  readonly line: number
  readonly problem: string
}

/** A record of an export. */
export interface ExportedRecord {
  readonly key: string
  readonly value: string
}

/** Reads an export line by line. */
export class ExportReader {
  readonly #digest = openSha1()
  readonly #records: ExportedRecord[] = []
  #header: ExportHeader | null = null
  #line = 0
  #problem: NoExport | null = null
  #isWhole = false

  /** Takes the next line, without its end; whether more is to be read. */
  take(text: string): boolean {
    this.#line += 1
    this.#problem ??= this.#read(text)
    return this.#problem === null
  }

  /** All that was read, once there are no more lines. */
  end(): { readonly header: ExportHeader; readonly records: readonly ExportedRecord[] } | NoExport {
    if (this.#problem !== null) return this.#problem
    if (this.#header === null || !this.#isWhole) return this.#damaged('it is truncated: its end is missing')
    return { header: this.#header, records: this.#records }
  }

  #read(text: string): NoExport | null {
    if (this.#isWhole) return this.#damaged('there is more text after its end')
    const value = parseJsonOrNone(text)
    if (this.#header === null) return this.#readHeader(value, text)
    if (isRecord(value)) {
      this.#digest.add(`${text}\n`)
      this.#records.push({ key: value[0], value: value[1] })
      return null
    }
    return isFooter(value) ? this.#readFooter(value) : this.#damaged('it is not a record')
  }

  #readHeader(value: unknown, text: string): NoExport | null {
    if (!isHeader(value)) return this.#damaged('it does not begin like an export of Mariposa')
    const { mariposaExport, records, program } = value
    if (mariposaExport > exportFormat || records > recordFormat)
      return { kind: 'newer', line: this.#line, problem: `Mariposa ${program} wrote it, in a later format` }
    if (!isComplete(value)) return this.#damaged('its first line lacks the header of an export')
    this.#digest.add(`${text}\n`)
    this.#header = value
    return null
  }

  #readFooter({ count, sha1 }: ExportFooter): NoExport | null {
    this.#isWhole = true
    if (count !== this.#records.length)
      return this.#damaged(`it holds ${this.#records.length} records, but ${count} were written`)
    return sha1 === this.#digest.hex()
      ? null
      : this.#damaged('it was changed after it was written: its SHA-1 differs')
  }

  #damaged(problem: string): NoExport {
    return { kind: 'damaged', line: this.#line, problem }
  }
}

function isRecord(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')
}

function isHeader(value: unknown): value is ExportHeader {
  return hasNumber(value, 'mariposaExport') && hasNumber(value, 'records')
}

function isComplete({ at, manifests, revision }: Partial<ExportHeader>): boolean {
  const isKnown = Array.isArray(manifests?.packages) && typeof manifests.cns === 'object'
  return isKnown && typeof revision === 'number' && !Number.isNaN(Date.parse(at ?? ''))
}

function isFooter(value: unknown): value is ExportFooter {
  return hasNumber(value, 'count') && typeof value === 'object' && value !== null && 'end' in value
}

function hasNumber(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, key) === 'number'
}
