// What clients of exec do to a daemon: they go away, send without end, and do not read. For every driver, and across machines.
import { readFileSync, writeFileSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ExecFrame } from '../../src/contract/contract.js'
import type { RunningProgram } from '../cli/program.js'
import type { Host } from './host.js'

/** Where an instance `web-1` runs: its host, as it is asked, and every daemon that its streams pass. */
export interface ExecSite {
  /** The socket of the daemon that is asked, as the test sees it. */
  readonly socketPath: string
  readonly host: Pick<Host, 'start'>
  readonly daemons: readonly Pick<RunningProgram, 'pid' | 'saidSoFar'>[]
}

const mebibyte = 1024 * 1024
/**
 * A daemon that kept what passes through would hold 900 MiB and more; what is on its way is some kilobytes, and the rest was let
 * go of and is not collected yet.
 */
const mostGrowth = 400 * mebibyte

/** `open` starts the daemons and deploys `web`. */
export function describeExecFaults(open: () => Promise<ExecSite>): void {
  const post = (site: ExecSite, argv: readonly string[]): ClientRequest => {
    const query = argv.map((word) => `argv=${encodeURIComponent(word)}`).join('&')
    const path = `/v1/projects/default/exec/web-1?${query}`
    const headers = { 'content-type': 'application/octet-stream', connection: 'keep-alive' }
    return request({ socketPath: site.socketPath, agent: false, method: 'POST', path, headers })
  }
  /** The words of all programs that the instance sees. */
  const runningIn = async (site: ExecSite): Promise<string> => {
    const asked = post(site, ['sh', '-c', 'cat /proc/[0-9]*/cmdline | tr "\\0" " "'])
    asked.end()
    const frames = await framesOf(await answerOf(asked))
    const written = frames.map((frame) => ('base64' in frame ? frame.base64 : ''))
    return Buffer.concat(written.map((base64) => Buffer.from(base64, 'base64'))).toString()
  }
  /** The same daemons, and they still do their work. */
  const stillServes = async (site: ExecSite): Promise<void> => {
    const asked = post(site, ['echo', 'still here'])
    asked.end()
    const frames = await framesOf(await answerOf(asked))
    const base64 = Buffer.from('still here\n').toString('base64')
    expect(frames).toEqual([{ stream: 'stdout', base64 }, { exit: 0 }])
    for (const daemon of site.daemons)
      expect(daemon.saidSoFar()).not.toMatch(/ error [a-z]+: |^\w*Error: |ExceededWarning/m)
  }

  test('a client that goes away, sends nothing or is interrupted leaves the daemon as it was', async () => {
    const site = await open()
    for (const beforeItGoes of ['', 'half a li']) {
      const asked = post(site, ['cat'])
      asked.on('error', () => {})
      asked.flushHeaders()
      const answer = await answerOf(asked)
      if (beforeItGoes !== '') {
        asked.write(beforeItGoes)
        expect(await firstFrame(answer)).toMatchObject({ stream: 'stdout' })
      }
      asked.destroy()
      await stillServes(site)
    }
    // Without a body, as `curl -X POST` asks.
    const bare = post(site, ['true'])
    bare.removeHeader('content-type')
    bare.end()
    expect((await framesOf(await answerOf(bare))).at(-1)).toEqual({ exit: 0 })
    const wrong = post(site, ['/no/such/program'])
    wrong.end('input that nobody reads')
    await framesOf(await answerOf(wrong))
    await stillServes(site)

    const typing = site.host.start(
      'service',
      'exec',
      'web-1',
      '--',
      'sh',
      '-c',
      'echo begun; exec sleep 1000',
    )
    await typing.saw('begun')
    typing.signal('SIGINT')
    expect((await typing.ended).code).toBe(130)
    await stillServes(site)
  }, 120_000)

  test('a client that goes away while its input is held up ends the program', async () => {
    const site = await open()
    // How long it sleeps is its name, on a machine that others use too.
    const seconds = (n: number): string => String(100_000_000 + process.pid * 10 + n)
    const deaf = ['sh', '-c', `echo begun; exec sleep ${seconds(0)}`]
    const loud = ['sh', '-c', `sleep ${seconds(1)} & exec cat /dev/zero`]
    for (const [n, argv] of [deaf, loud].entries()) {
      const asked = post(site, argv)
      asked.on('error', () => {})
      asked.write(Buffer.alloc(32 * mebibyte, 'x'))
      const answer = await answerOf(asked)
      answer.on('error', () => {})
      await chunkOf(answer)
      // Where the program writes nothing, an empty line tells that no more of the input is taken.
      if (n === 0) while ((await chunkOf(answer)) !== '\n');
      else answer.pause()
      while (!(await runningIn(site)).includes(seconds(n)));
      asked.destroy()
      while ((await runningIn(site)).includes(seconds(n)));
    }
    await stillServes(site)
  }, 120_000)

  test('what nobody reads is not kept: a gigabyte of input, and output without end', async () => {
    const site = await open()
    forgetPeaks(site)
    const before = memoryOf(site)
    const asked = post(site, ['sleep', '6'])
    asked.on('error', () => {})
    const answer = answerOf(asked)
    const sending = sendMebibytes(asked, 1024)
    expect((await framesOf(await answer)).at(-1)).toEqual({ exit: 0 })
    asked.destroy()
    await sending
    for (const [n, { peak }] of memoryOf(site).entries())
      expect(peak - (before[n]?.now ?? 0)).toBeLessThan(mostGrowth)

    const unread = post(site, ['cat', '/dev/zero'])
    unread.on('error', () => {})
    unread.end()
    const waiting = await answerOf(unread)
    await delay(3000)
    for (const [n, { peak }] of memoryOf(site).entries())
      expect(peak - (before[n]?.now ?? 0)).toBeLessThan(mostGrowth)
    waiting.destroy()
    await stillServes(site)
  }, 120_000)
}

function answerOf(asked: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    asked.once('response', resolve)
    asked.once('error', reject)
  })
}

async function firstFrame(answer: IncomingMessage): Promise<ExecFrame> {
  return JSON.parse(await chunkOf(answer)) as ExecFrame
}

/** What comes next. */
function chunkOf(answer: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    answer.once('data', (chunk: Buffer) => resolve(chunk.toString()))
    answer.once('error', reject)
  })
}

async function framesOf(answer: IncomingMessage): Promise<readonly ExecFrame[]> {
  expect(answer.statusCode).toBe(200)
  let text = ''
  for await (const chunk of answer) text += String(chunk)
  return text
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ExecFrame)
}

async function sendMebibytes(asked: ClientRequest, count: number): Promise<void> {
  const block = Buffer.alloc(mebibyte, 'x')
  for (let sent = 0; sent < count && !asked.destroyed; sent += 1) {
    if (asked.write(block)) continue
    await new Promise<void>((resolve) => {
      const go = (): void => {
        asked.off('drain', go)
        asked.off('close', go)
        resolve()
      }
      asked.on('drain', go)
      asked.on('close', go)
    })
  }
}

/** The memory of each daemon: as it is, and the most that it ever was. */
export function memoryOf({ daemons }: ExecSite): readonly { readonly now: number; readonly peak: number }[] {
  return daemons.map(({ pid }) => {
    const status = readFileSync(`/proc/${daemonUnder(pid)}/status`, 'latin1')
    const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024
    return { now: bytes('VmRSS'), peak: bytes('VmHWM') }
  })
}

/** From now on the most that a daemon ever was counts anew. */
export function forgetPeaks({ daemons }: ExecSite): void {
  for (const { pid } of daemons) writeFileSync(`/proc/${daemonUnder(pid)}/clear_refs`, '5')
}

/** The daemon itself below what entered its machine. */
function daemonUnder(pid: number): number {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')
  if (/\/node$/.test(words[0] ?? '') && words.includes('daemon')) return pid
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ')
  if (child === undefined || child === '') throw new Error('there is no daemon')
  return daemonUnder(Number(child))
}
