/** Colours text for a terminal; `plainPaint` leaves it as it is. */
export interface Paint {
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly busy: (text: string) => string
  readonly faint: (text: string) => string
  readonly bold: (text: string) => string
  /** One of a few colours, by number: tells the instances of a log apart. */
  readonly hue: (text: string, n: number) => string
}

const hues = [36, 33, 35, 32, 34, 31] as const

export const plainPaint: Paint = {
  good: same,
  bad: same,
  busy: same,
  faint: same,
  bold: same,
  hue: same,
}

export const colourPaint: Paint = {
  good: (text) => sgr(32, text),
  bad: (text) => sgr(31, text),
  busy: (text) => sgr(33, text),
  faint: (text) => sgr(2, text),
  bold: (text) => sgr(1, text),
  hue: (text, n) => sgr(hues[n % hues.length] ?? 0, text),
}

function same(text: string): string {
  return text
}

function sgr(code: number, text: string): string {
  return `\u001b[${code}m${text}\u001b[0m`
}
