// Programs beside units of another machine's systemd, and those who follow its journal: what clients do to both daemons.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { builtProgram, type Run } from '../../cli/program.js'
import { describeExecFaults } from '../../e2e/exec-faults.js'
import { describeFollowFaults, type FollowSite } from '../../e2e/follow-faults.js'
import { removeDir } from '../../remove-dir.js'
import { type Cluster, startCluster } from './cluster.js'
import { tellOf } from './workload.js'

const program = builtProgram(join(import.meta.dirname, '../../../dist/mariposa.js'))
const dir = mkdtempSync(join(tmpdir(), 'mariposa-streams-'))

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ machines: 2, ttlSeconds: 20, tls: true })
})
afterAll(async () => {
  await cluster?.stop()
  removeDir(dir)
})
beforeEach(({ onTestFailed }) => onTestFailed(() => tellOf(cluster)))

describe('streams of another machine with systemd', () => {
  describeExecFaults(async () => {
    const site = await openSite()
    await site.host.done('service', 'deploy', site.host.file('web.yml', manifestOf('exec sleep 10000')))
    return site
  })
  // Each is a journalctl.
  describeFollowFaults(openSite, { followers: 40 })
})

/** The first machine is asked, and the second one runs what there is. */
async function openSite(): Promise<FollowSite> {
  const [asked] = cluster.machines
  if (asked === undefined) throw new Error('no machine')
  const options = { env: { MARIPOSA_ENDPOINT: `unix://${asked.socket}` }, cwd: dir }
  const done = async (...args: readonly string[]): Promise<Run> => {
    const ended = await program.run(args, options)
    if (ended.code !== 0) throw new Error(`${args.join(' ')}: exit ${ended.code}\n${ended.stderr}`)
    return ended
  }
  for (const { name } of [...cluster.view.services.values()]) await done('service', 'delete', name, '--force')
  await done('machine', 'cordon', asked.id)
  return {
    socketPath: asked.socket,
    host: {
      done,
      start: (...args) => program.start(args, options),
      file: (name, text) => {
        writeFileSync(join(dir, name), text)
        return join(dir, name)
      },
    },
    daemons: cluster.machines.map(({ daemon }) => ({ pid: daemon.pid, saidSoFar: daemon.log })),
    manifestOf,
  }
}

function manifestOf(script: string): string {
  return `compute_type: process\ncommand: [/bin/sh, -c, ${JSON.stringify(script)}]\nstop: {timeout: 1, preservestopped: "no"}\n`
}
