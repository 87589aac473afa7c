// What clients of streams do to a daemon: many follow the logs of a program that writes fast, and the history; most of them
// do not read, some go away in the middle. For every driver, and across machines.
import { get, type IncomingMessage, request } from 'node:http'
import { expect, test } from 'vitest'
import { type ExecSite, forgetPeaks, memoryOf } from './exec-faults.js'
import type { Host } from './host.js'

export interface FollowSite extends ExecSite {
  readonly host: Pick<Host, 'done' | 'file' | 'start'>
  /** The manifest of a service that runs a script of the shell where it is looked at. */
  readonly manifestOf: (script: string) => string
}

export interface FollowOptions {
  /** Where each costs a program of its own, there are not so many. */
  readonly followers?: number
  /** Who follows the history is served alike whatever drives the programs. */
  readonly history?: boolean
}

const mebibyte = 1024 * 1024
const [lines, lineBytes] = [300, 8000]
const [events, eventBytes] = [200, 16_000]
/**
 * What nobody reads would be 400 MB and more if the daemon kept it; what is on its way is some kilobytes for each. The rest is what
 * was let go of and is not collected yet: 30 to 160 MiB, and 201 on a machine that was busy with other things.
 */
const mostGrowth = 300 * mebibyte

/** `open` starts the daemons, which have nothing to do yet. */
export function describeFollowFaults(open: () => Promise<FollowSite>, options: FollowOptions = {}): void {
  const { followers: count = 200, history = true } = options

  test('many who follow logs, most without reading, get all of them in order or go, and cost no memory', async () => {
    const site = await open()
    const go = `/tmp/go-${process.pid}-${Date.now()}`
    const script = [
      `mkdir -p /tmp; while [ ! -e ${go} ]; do sleep 1; done; rm ${go}`,
      `x=$(head -c ${lineBytes} /dev/zero | tr '\\0' x); i=1`,
      `while [ $i -le ${lines} ]; do echo "$i $x"; i=$((i+1)); done; exec sleep 10000`,
    ].join('; ')
    await site.host.done('service', 'deploy', site.host.file('noisy.yml', site.manifestOf(script)))
    forgetPeaks(site)
    const before = memoryOf(site)
    const path = '/v1/projects/default/logs/noisy?follow=true'
    const followers = await Promise.all(
      Array.from({ length: count }, () => follow(site, path, /"line":"(\d+) /g, lines)),
    )
    const [reading, stuck] = [followers.slice(0, count / 4), followers.slice(count / 4)]
    for (const follower of reading) follower.read()
    const typing = site.host.start('service', 'logs', 'noisy', '-f')
    await site.host.done('service', 'exec', 'noisy-1', '--', 'touch', go)
    await typing.saw('100 xxx')
    typing.signal('SIGINT')
    expect((await typing.ended).code).toBe(130)
    const gone = stuck.splice(0, count / 10)
    for (const follower of gone) follower.leave()
    expect(await outcomes(reading)).toEqual(['complete'])
    expectFewMore(site, before)
    for (const follower of stuck) follower.read()
    expect(await outcomes(stuck)).toEqual(['complete'])
    expectFewMore(site, before)
    expectQuiet(site)
  }, 240_000)

  if (history)
    test('many who follow the history, most without reading, hold nothing up, and cost no memory', async () => {
      const site = await open()
      const [{ id } = { id: '' }] = JSON.parse(
        (await site.host.done('machine', 'list', '--json')).stdout,
      ) as {
        id: string
      }[]
      forgetPeaks(site)
      const before = memoryOf(site)
      const path = '/v1/events?follow=true&kind=machine'
      const followers = await Promise.all(
        Array.from({ length: count }, () => follow(site, path, /gets n=(\d+)x/g, events)),
      )
      const [reading, stuck] = [followers.slice(0, count / 4), followers.slice(count / 4)]
      for (const follower of reading) follower.read()
      const typing = site.host.start('events', '-f', '--kind', 'machine', '--jsonl')
      for (let n = 1; n <= events; n++) {
        await change(site, id, `${n}x`.padEnd(eventBytes, 'x'))
        if (n === events / 2) for (const follower of stuck.splice(0, count / 10)) follower.leave()
      }
      await typing.saw('n=100x')
      typing.signal('SIGINT')
      expect((await typing.ended).code).toBe(130)
      expect(await outcomes(reading)).toEqual(['complete'])
      expectFewMore(site, before)
      for (const follower of stuck) follower.read()
      // One that is behind what is kept is cut off, and can ask for what came after the last one that it has.
      for (const outcome of await outcomes(stuck)) expect(['complete', 'cut']).toContain(outcome)
      expectFewMore(site, before)
      expectQuiet(site)
    }, 240_000)
}

interface Follower {
  read(): void
  leave(): void
  /** Whether all came, in order and each once; or the answer ended before that. */
  readonly outcome: Promise<'complete' | 'cut' | 'disorder'>
}

/** Asks for a stream whose records have numbers from 1 on, and reads nothing yet. */
async function follow(site: FollowSite, path: string, number: RegExp, last: number): Promise<Follower> {
  const headers = { accept: 'application/x-ndjson' }
  const asked = get({ socketPath: site.socketPath, agent: false, path, headers })
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve)
    asked.once('error', reject)
  })
  expect(answer.statusCode).toBe(200)
  asked.on('error', () => {})
  let end = (_: 'complete' | 'cut' | 'disorder'): void => {}
  const outcome = new Promise<'complete' | 'cut' | 'disorder'>((resolve) => {
    end = resolve
  })
  const finish = (how: 'complete' | 'cut' | 'disorder'): void => {
    end(how)
    asked.destroy()
  }
  answer.on('close', () => end('cut'))
  answer.on('error', () => end('cut'))
  let next = 1
  let rest = ''
  const take = (chunk: string): void => {
    const whole = (rest + chunk).split('\n')
    rest = whole.pop() ?? ''
    for (const [, n] of whole.flatMap((line) => [...line.matchAll(number)])) {
      if (Number(n) !== next) finish('disorder')
      if (Number(n) === last) finish('complete')
      next += 1
    }
  }
  return {
    read: () => {
      answer.setEncoding('utf8')
      answer.on('data', take)
    },
    leave: () => asked.destroy(),
    outcome,
  }
}

/** The different outcomes that there are. */
async function outcomes(followers: readonly Follower[]): Promise<readonly string[]> {
  return [...new Set(await Promise.all(followers.map(({ outcome }) => outcome)))]
}

function change(site: FollowSite, machine: string, n: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const path = `/v1/machines/${machine}`
    const sent = request({ socketPath: site.socketPath, method: 'PATCH', path, headers }, (answer) => {
      answer.resume()
      answer.on('end', () => {
        if ((answer.statusCode ?? 0) < 300) resolve()
        else reject(new Error(`the change was refused: ${answer.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end(JSON.stringify({ metadata: { n } }))
  })
}

function expectFewMore(site: FollowSite, before: ReturnType<typeof memoryOf>): void {
  for (const [n, { peak }] of memoryOf(site).entries()) {
    const growth = peak - (before[n]?.now ?? 0)
    console.info(`daemon ${n + 1}: ${Math.round(growth / mebibyte)} MiB more at most`)
    expect(growth).toBeLessThan(mostGrowth)
  }
}

/** Nothing went wrong. That a busy host was late for something is no fault of these. */
function expectQuiet({ daemons }: FollowSite): void {
  for (const daemon of daemons)
    expect(daemon.saidSoFar()).not.toMatch(/ error [a-z]+: |^\w*Error: |ExceededWarning/m)
}
