// Those who follow logs and history, with the process driver.
import { describe } from 'vitest'
import { describeFollowFaults } from './follow-faults.js'
import { useHosts } from './host.js'

const openHost = useHosts()

describe('streams of one machine', () => {
  describeFollowFaults(async () => {
    const host = openHost()
    const daemon = await host.startDaemon()
    return { host, socketPath: host.socketPath, daemons: [daemon], manifestOf }
  })
})

function manifestOf(script: string): string {
  return `compute_type: process\ncommand: [/bin/sh, -c, ${JSON.stringify(script)}]\nstop: {timeout: 1, preservestopped: "no"}\n`
}
