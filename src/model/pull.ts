// Images that are being fetched, for people.
import type { PullProgress } from './unit.js'

/** `pulls app:1: 2 of 5 layers, 12.3 of 40.1 MB`; sizes of layers are known as they are begun. */
export function describePull({
  image,
  layers,
  layersDone,
  bytes,
  totalBytes,
}: Omit<PullProgress, 'since'>): string {
  if (layers === 0) return `pulls ${image}`
  const size = totalBytes === 0 ? '' : `, ${describeSize(bytes)} of ${describeSize(totalBytes)}`
  return `pulls ${image}: ${layersDone} of ${layers} layers${size}`
}

/** A number of bytes as Docker shows it, in powers of a thousand. */
export function describeSize(bytes: number): string {
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(0)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`
}
