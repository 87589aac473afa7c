// Prometheus' text format: what we expose, and what ContainerPilot does.

export interface Sample {
  readonly name: string
  readonly type: 'gauge' | 'counter'
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Samples as text: those of one name together, each name with its type once. */
export function printExposition(samples: readonly Sample[]): string {
  const byName = new Map<string, Sample[]>()
  for (const sample of samples) {
    const known = byName.get(sample.name)
    if (known === undefined) byName.set(sample.name, [sample])
    else known.push(sample)
  }
  const lines = [...byName].flatMap(([name, group]) => [
    `# TYPE ${name} ${group[0]?.type ?? 'untyped'}`,
    ...group.map((sample) => `${name}${printLabels(sample.labels)} ${sample.value}`),
  ])
  return lines.map((line) => `${line}\n`).join('')
}

function printLabels(labels: Sample['labels']): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

/** What a page of metrics says, summed over labels. */
export interface ReadMetrics {
  readonly types: ReadonlyMap<string, string>
  /** By the name as it stands in the line, `_sum` and `_count` included. */
  readonly values: ReadonlyMap<string, number>
}

/** Reads a page; null for text that holds no sample, or a line that is none. */
export function parseExposition(text: string): ReadMetrics | null {
  const types = new Map<string, string>()
  const values = new Map<string, number>()
  for (const line of text.split('\n').map((one) => one.trim())) {
    const [, typed, type] = /^#\s*TYPE\s+(\S+)\s+(\S+)$/.exec(line) ?? []
    if (typed !== undefined && type !== undefined) types.set(typed, type)
    if (line === '' || line.startsWith('#')) continue
    const [, name, number] = sampleShape.exec(line) ?? []
    if (name === undefined || number === undefined) return null
    const value = numberOf(number)
    if (value === null) return null
    if (!Number.isNaN(value)) values.set(name, (values.get(name) ?? 0) + value)
  }
  return values.size === 0 ? null : { types, values }
}

const sampleShape = /^([A-Za-z_:][A-Za-z0-9_:]*)(?:\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\})?\s+(\S+)(?:\s+-?\d+)?$/

function numberOf(text: string): number | null {
  if (/^[+-]?Inf$/.test(text))
    return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  if (text === 'NaN') return Number.NaN
  return /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text) ? Number(text) : null
}

/** Two readings of a page, and how many seconds lie between them. */
export interface Pages {
  readonly before: ReadMetrics | null
  readonly now: ReadMetrics
  readonly seconds: number
}

/**
 * A metric as a trigger compares it: a gauge as it is, of a counter how much it grew per second, of a histogram or
 * summary the mean of what was observed since the last reading. `tps` also finds the one metric whose name ends in
 * `_tps`, as ContainerPilot puts namespace and subsystem in front. Null for what is not known.
 */
export function pageMetric(name: string, pages: Pages): number | null {
  const full = fullName(name, pages.now)
  if (full === null) return null
  switch (pages.now.types.get(full)) {
    case 'counter':
      return growth(full, pages, pages.seconds)
    case 'histogram':
    case 'summary':
      return growth(`${full}_sum`, pages, growth(`${full}_count`, pages, 1) ?? 0)
    default:
      return pages.now.values.get(full) ?? null
  }
}

function fullName(name: string, { types, values }: ReadMetrics): string | null {
  const names = [...new Set([...types.keys(), ...values.keys()])]
  if (names.includes(name)) return name
  const [only, ...more] = names.filter((one) => one.endsWith(`_${name}`))
  return only !== undefined && more.length === 0 ? only : null
}

function growth(name: string, { before, now }: Pages, per: number): number | null {
  const [earlier, later] = [before?.values.get(name), now.values.get(name)]
  if (earlier === undefined || later === undefined || later < earlier || per <= 0) return null
  return (later - earlier) / per
}
