// Those who follow logs of another machine than that whose daemon is asked, and the history in etcd.
import { describe } from 'vitest'
import { freePort } from '../free-port.js'
import { describeFollowFaults } from './follow-faults.js'
import { idA, usePairs } from './pair.js'

const pairs = usePairs()

describe('streams across machines', () => {
  describeFollowFaults(async () => {
    const { a, b } = pairs.open()
    const listening = async () => {
      const address = `127.0.0.1:${await freePort()}`
      return ['--insecure-listen', '--listen', `tcp://${address}`, '--advertise', `http://${address}`]
    }
    const daemons = [await a.startDaemon(...(await listening())), await b.startDaemon(...(await listening()))]
    await a.done('machine', 'cordon', idA)
    return { host: a, socketPath: a.socketPath, daemons, manifestOf }
  })
})

function manifestOf(script: string): string {
  return `compute_type: process\ncommand: [/bin/sh, -c, ${JSON.stringify(script)}]\nstop: {timeout: 1, preservestopped: "no"}\n`
}
