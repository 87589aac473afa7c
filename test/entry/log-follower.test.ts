// The log of requests is followed while the proxy writes it, and over to the file that it goes on with.
import { appendFileSync, mkdtempSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LogFollower } from '../../src/entry/io/log-follower.js'
import { removeDir } from '../remove-dir.js'

let dir = ''
let path = ''
let lines: string[] = []
let follower: LogFollower

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mariposa-follow-'))
  path = join(dir, 'access.log')
  lines = []
  follower = new LogFollower(path, (line) => lines.push(line))
})

afterEach(async () => {
  await follower.close()
  removeDir(dir)
})

const write = (text: string): void => appendFileSync(path, text)

async function read(): Promise<readonly string[]> {
  lines = []
  await follower.read()
  return lines
}

test('what was there before is passed over', async () => {
  write('old\n')
  expect(await read()).toEqual([])
  write('new\n')
  expect(await read()).toEqual(['new'])
})

test('a file that comes later is read from its beginning', async () => {
  expect(await read()).toEqual([])
  write('first\n')
  expect(await read()).toEqual(['first'])
})

test('half a line waits for its other half', async () => {
  await read()
  write('one\ntw')
  expect(await read()).toEqual(['one'])
  write('o\nthree')
  expect(await read()).toEqual(['two'])
})

test('when the file is rolled over, nothing is lost and nothing told twice', async () => {
  write('0\n')
  await read()
  write('1\n')
  renameSync(path, join(dir, 'access-1.log'))
  appendFileSync(join(dir, 'access-1.log'), '2\n')
  writeFileSync(path, '3\n')
  expect(await read()).toEqual(['1', '2', '3'])
  write('4\n')
  expect(await read()).toEqual(['4'])
})

test('a file that was moved away is read on until another is there', async () => {
  await read()
  write('1\n')
  await read()
  renameSync(path, join(dir, 'access-1.log'))
  expect(await read()).toEqual([])
  writeFileSync(path, '2\n')
  expect(await read()).toEqual(['2'])
})

test('a file that was cut short is read from its beginning', async () => {
  await read()
  write('one\ntwo\n')
  await read()
  truncateSync(path, 0)
  await read()
  write('three\n')
  expect(await read()).toEqual(['three'])
})

test('many lines, of any length, come whole and in order', async () => {
  await read()
  const many = Array.from({ length: 3000 }, (_, n) => `${n} ${'é'.repeat((n * 37) % 700)}`)
  write(many.map((one) => `${one}\n`).join(''))
  expect(await read()).toEqual(many)
})

test('many short lines that come at once let others have their turns', async () => {
  await read()
  write('\n'.repeat(400_000))
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  expect(await read()).toHaveLength(400_000)
  isOver = true
  expect(turns).toBeGreaterThan(100)
})
