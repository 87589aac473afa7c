// The healthcheck of a Compose service, which becomes a check of type command.
import { parseDurationMs } from '../lib/duration.js'
import type { Span } from '../manifest/notes.js'
import { childOf, isEmpty, type ListNode, type MapNode, type Tree } from '../manifest/tree.js'
import { placeholderStart } from '../manifest/variables.js'
import type { Entry } from './compose-service.js'
import { type DraftItem, type DraftPair, listPair, pair, type Remark } from './draft.js'
import { excerpt, leftOut, quoted, readFixedFlag, readText, readTexts, unknownKeys } from './texts.js'

/** Docker's defaults, in seconds. */
const docker = { interval: 30, timeout: 30 }

export function translateHealthcheck(node: Tree): readonly Entry[] {
  if (node.kind !== 'map') return [leftOut(node, `healthcheck (${excerpt(node)})`, 'expected a map')]
  const disabled = readFixedFlag(childOf(node, 'disable'), 'disable of the healthcheck')
  if (disabled.flag === true) return [...disabled.remarks, switchedOff(node)]
  const unread = [...disabled.remarks, ...unknownKeys(node, known, 'the healthcheck')]
  return [...unread, ...checkOf(node)]
}

const known = ['disable', 'test', 'interval', 'timeout', 'retries', 'start_period', 'start_interval']

function checkOf(node: MapNode): readonly Entry[] {
  const test = childOf(node, 'test')
  if (node.entries.every(({ key, value }) => key.value === 'disable' || isEmpty(value))) return []
  if (!test || isEmpty(test))
    return [leftOut(node, 'healthcheck', "without a test the image's own check counts, with its own times")]
  const command = commandOf(test)
  if (command === 'none') return [switchedOff(node)]
  if (!command.some(({ kind }) => kind === 'item')) return command.filter((item) => item.kind === 'remark')
  const entries = [pair('type', node, 'command'), ...listPair('command', test, command), ...timing(node)]
  return [
    pair('healthchecks', node, {
      kind: 'list',
      items: [{ kind: 'item', at: node, value: { kind: 'map', entries } }],
    }),
  ]
}

/** The image's own check does not count either. */
function switchedOff(at: Span): DraftPair {
  return pair('healthchecks', at, { kind: 'list', items: [] })
}

/** A text is run by a shell; a list says in front how it is run. */
function commandOf(test: Tree): readonly (DraftItem | Remark)[] | 'none' {
  if (test.kind !== 'list') return inShell(test, readTexts(test, 'test of the healthcheck'))
  const how = test.items[0]?.kind === 'scalar' ? test.items[0].value : undefined
  const rest: ListNode = { ...test, items: test.items.slice(1) }
  const words = readTexts(rest, 'test of the healthcheck')
  if (how === 'NONE') return 'none'
  if (how === 'CMD-SHELL') return inShell(test, words)
  if (how === 'CMD' && words.length > 0) return words
  return [
    leftOut(test, `healthcheck (${excerpt(test)})`, 'its test begins with none of CMD, CMD-SHELL and NONE'),
  ]
}

/** As Docker runs it, which takes the words for one line. */
function inShell(at: Span, words: readonly (DraftItem<string> | Remark)[]): readonly (DraftItem | Remark)[] {
  const remarks = words.filter((word) => word.kind === 'remark')
  const line = words.flatMap((word) => (word.kind === 'item' ? [word.value] : [])).join(' ')
  if (line === '') return remarks
  return [...remarks, ...['/bin/sh', '-c', line].map((value) => ({ kind: 'item' as const, at, value }))]
}

function timing(node: MapNode): readonly (DraftPair | Remark)[] {
  const interval = readSeconds(node, 'interval')
  const timeout = readSeconds(node, 'timeout')
  const retries = childOf(node, 'retries')
  return [
    ...interval.remarks,
    pair('poll', node, interval.seconds ?? docker.interval),
    ...timeout.remarks,
    pair('timeout', node, timeout.seconds ?? docker.timeout),
    ...(retries && !isEmpty(retries) ? countOf(retries) : []),
    ...startOf(node, 'start_period'),
    ...startOf(node, 'start_interval'),
  ]
}

function startOf(node: MapNode, key: string): readonly (DraftPair | Remark)[] {
  const { seconds, remarks } = readSeconds(node, key, 'left to the defaults')
  return seconds === null ? remarks : [...remarks, pair(key, node, seconds)]
}

interface ReadSeconds {
  /** A text where a variable says it. */
  readonly seconds: number | string | null
  readonly remarks: readonly Remark[]
}

function readSeconds(node: MapNode, key: string, instead = '30 s was taken'): ReadSeconds {
  const given = childOf(node, key)
  if (!given || isEmpty(given)) return { seconds: null, remarks: [] }
  const { text, remarks } = readText(given, `${key} of the healthcheck`)
  if (text === null || text.includes(placeholderStart)) return { seconds: text, remarks }
  const ms = parseDurationMs(text)
  if (ms !== undefined && (ms > 0 || key === 'start_period')) return { seconds: ms / 1_000, remarks }
  const label = `${key} of the healthcheck (${quoted(text)})`
  return {
    seconds: null,
    remarks: [leftOut(given, label, `expected a duration such as 1m30s; ${instead}`)],
  }
}

/** In Docker a count of 0 is the default. */
function countOf(node: Tree): readonly (DraftPair | Remark)[] {
  const { text, remarks } = readText(node, 'retries of the healthcheck')
  if (text === null || text === '0') return remarks
  if (text.includes(placeholderStart)) return [...remarks, pair('retries', node, text)]
  if (/^[1-9]\d{0,8}$/.test(text)) return [...remarks, pair('retries', node, Number(text))]
  return [
    leftOut(node, `retries of the healthcheck (${quoted(text)})`, 'expected a whole number; 3 was taken'),
  ]
}
