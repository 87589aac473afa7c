// What is told of a pull, from lines as dockerd 20.10 writes them.
import { expect, test } from 'vitest'
import { noLayers, type PullLine, sumOf, withLine } from '../../../src/drivers/docker/pull-progress.js'

const after = (...lines: readonly PullLine[]) => sumOf(lines.reduce(withLine, noLayers))
const loading = (id: string, current: number, total: number): PullLine => ({
  id,
  status: 'Downloading',
  progressDetail: { current, total },
})

test('lines about the whole are no layers', () => {
  const whole = [
    { id: '1', status: 'Pulling from app' },
    { status: 'Digest: sha256:0123' },
    { status: 'Status: Downloaded newer image for app:1' },
  ]
  expect(after(...whole)).toEqual({ layers: 0, layersDone: 0, bytes: 0, totalBytes: 0 })
})

test('bytes are summed over layers as they arrive, and a layer that was here counts as done without any', () => {
  expect(
    after(
      { id: 'a', status: 'Already exists' },
      { id: 'b', status: 'Pulling fs layer', progressDetail: {} },
      { id: 'c', status: 'Waiting' },
      loading('b', 10, 100),
      loading('c', 5, 50),
      loading('b', 60, 100),
    ),
  ).toEqual({ layers: 3, layersDone: 1, bytes: 65, totalBytes: 150 })
})

test('a layer is done when it is unpacked, and what unpacking tells is not counted as fetched', () => {
  const lines = [
    loading('b', 10, 100),
    { id: 'b', status: 'Verifying Checksum' },
    { id: 'b', status: 'Download complete' },
  ]
  const unpacking = { id: 'b', status: 'Extracting', progressDetail: { current: 30, total: 100 } }
  expect(after(...lines, unpacking)).toEqual({ layers: 1, layersDone: 0, bytes: 100, totalBytes: 100 })
  expect(after(...lines, unpacking, { id: 'b', status: 'Pull complete' })).toMatchObject({ layersDone: 1 })
})

test('a layer that is fetched anew counts what it has now', () => {
  expect(
    after(loading('b', 60, 100), { id: 'b', status: 'Retrying in 5 seconds' }, loading('b', 5, 100)),
  ).toMatchObject({ layers: 1, bytes: 5, totalBytes: 100 })
})
