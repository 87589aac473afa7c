// What a real container uses, as its agent reads it: from the kernel's files of this machine, whatever version they are of.
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { ownKernelFiles, readUse } from '../../src/agent/io/metrics/read-use.js'
import { metricOf } from '../../src/agent/metrics/figures.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { firstLines, isRunning, untilObserved } from '../drivers/driver-contract.js'
import { type DockerBench, openDockerBench } from './docker-unit.js'

const limits = { memoryMb: 64, cpu: 50 }

describe('the metrics of a container', () => {
  let bench: DockerBench
  let signal: AbortSignal
  beforeEach(async () => {
    bench = await openDockerBench(inject('dockerSocket'))
    signal = AbortSignal.timeout(100_000)
  })
  afterEach(async () => await bench.dispose())

  it('are those of its own processes, network and limits', async () => {
    // Keeps 16 MiB in memory, asks itself once over TCP, then burns a core.
    const program = [
      'httpd -p 127.0.0.1:8080 -h /etc',
      'wget -q -O /dev/null http://127.0.0.1:8080/group',
      'kept=$(head -c 16777216 /dev/zero | tr "\\0" x)',
      'echo ready',
      'while :; do :; done',
    ].join('; ')
    const unit = bench.makeUnit({ name: 'busy', argv: ['/bin/sh', '-c', program] })
    const { driver } = bench
    await driver.load(unit, signal)
    await driver.start(unit.name, signal)
    const observed = await untilObserved(driver, unit.name, isRunning, signal)
    expect(await firstLines(driver, unit.name, 1, signal)).toEqual(['ready'])

    const before = await readUse({ driver, files: ownKernelFiles }, observed, limits, systemClock, signal)
    let now = before
    while ((now.cpuNs ?? 0) - (before.cpuNs ?? 0) < 2e8)
      now = await readUse({ driver, files: ownKernelFiles }, observed, limits, systemClock, signal)
    expect(metricOf('cpu_used', false, before, now)).toBeGreaterThan(0)
    expect(metricOf('cpu_user_usage', false, before, now)).toBeGreaterThan(0)
    expect(metricOf('mem_agg_usage', false, before, now)).toBeGreaterThan(16 * 1024 ** 2)
    expect(metricOf('mem_limit', false, before, now)).toBe(64 * 1024 ** 2)
    expect(metricOf('mem_agg_usage', true, before, now)).toBeGreaterThan(25)
    expect(metricOf('mem_anon_alloc_fail', false, before, now)).not.toBeNull()
    expect(now.tcp).toMatchObject({ tcp_active_open_count: 1, tcp_passive_open_count: 1 })
    for (const name of [
      'tcp_listen_drop_count',
      'tcp_listen_drop_Qzero_count',
      'tcp_retransmit_timeout_drop_count',
    ])
      expect(now.tcp[name]).toBe(0)
    expect(now.interfaces.map(({ name }) => name)).toEqual(['eth0'])
    expect(now.io).not.toBeNull()
  })
})
