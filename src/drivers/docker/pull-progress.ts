// How far a pull is, from the lines that Docker answers it with.

/** One line of a pull's answer. */
export interface PullLine {
  readonly status?: string
  /** The layer that the line is about; lines about the whole have none, or the tag. */
  readonly id?: string
  readonly progressDetail?: { readonly current?: number; readonly total?: number }
  readonly error?: string
}

/** What is known of a layer. */
interface Layer {
  readonly bytes: number
  readonly totalBytes: number
  readonly done: boolean
}

/** The layers of an image, by id. */
export type Layers = ReadonlyMap<string, Layer>

export const noLayers: Layers = new Map()

/** What a line tells of its layer; the same layers where it tells nothing. */
export function withLine(layers: Layers, { id, status = '', progressDetail }: PullLine): Layers {
  if (id === undefined || !isOfLayer(status)) return layers
  const known = layers.get(id) ?? { bytes: 0, totalBytes: 0, done: false }
  return new Map(layers).set(id, layerAfter(known, status, progressDetail ?? {}))
}

function layerAfter(
  known: Layer,
  status: string,
  { current = 0, total = 0 }: NonNullable<PullLine['progressDetail']>,
): Layer {
  switch (status) {
    case 'Downloading':
      return { ...known, bytes: current, totalBytes: Math.max(total, current) }
    case 'Verifying Checksum':
    case 'Download complete':
    case 'Extracting':
      return { ...known, bytes: known.totalBytes }
    case 'Pull complete':
      return { ...known, bytes: known.totalBytes, done: true }
    case 'Already exists':
      return { ...known, done: true }
    default:
      return known
  }
}

/** `Pulling from library/app` names the tag as its id. */
function isOfLayer(status: string): boolean {
  return layerWords.has(status) || status.startsWith('Retrying in ')
}

const layerWords: ReadonlySet<string> = new Set([
  'Pulling fs layer',
  'Waiting',
  'Downloading',
  'Verifying Checksum',
  'Download complete',
  'Extracting',
  'Pull complete',
  'Already exists',
])

/** The sums that people are shown. */
export function sumOf(layers: Layers): {
  readonly layers: number
  readonly layersDone: number
  readonly bytes: number
  readonly totalBytes: number
} {
  const all = [...layers.values()]
  return {
    layers: all.length,
    layersDone: all.filter(({ done }) => done).length,
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    totalBytes: all.reduce((sum, { totalBytes }) => sum + totalBytes, 0),
  }
}
