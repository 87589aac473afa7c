import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { allFigures } from '../../../src/agent/io/metrics/meter.js'
import { figuresOf, type InstanceUse, metricOf } from '../../../src/agent/metrics/figures.js'
import {
  readBlkio,
  readCpuTimes,
  readInterfaces,
  readIoStat,
  readMemoryFails,
  readNumber,
  readProcIo,
  readTcp,
  readTcpDrops,
} from '../../../src/agent/metrics/kernel-files.js'
import { containerMonitorMetrics, pluginMetrics, unmeasuredMetrics } from '../../../src/model/metric.js'

const use: InstanceUse = {
  at: 100_000,
  steadyAt: 5000,
  startedAt: 40_000,
  restarts: 2,
  cpuNs: 5e9,
  cpuUserNs: 3e9,
  cpuSystemNs: 2e9,
  cpuLimit: 0.5,
  memoryBytes: 64 * 1024 ** 2,
  memoryLimitBytes: 128 * 1024 ** 2,
  swapBytes: null,
  swapLimitBytes: null,
  memoryFails: 3,
  io: { readBytes: 1, writtenBytes: 2, reads: 3, writes: 4 },
  interfaces: [
    { name: 'eth0', bytesIn: 10, bytesOut: 20, packetsIn: 1, packetsOut: 2 },
    { name: 'eth1', bytesIn: 30, bytesOut: 40, packetsIn: 3, packetsOut: 4 },
  ],
  tcp: { tcp_active_open_count: 7 },
}
const later: InstanceUse = { ...use, at: 110_000, steadyAt: 15_000, cpuNs: 7e9, cpuUserNs: 4e9 }

describe('the metrics of Container Monitor', () => {
  it('are each measured, or known to be measured by nobody', () => {
    const full: InstanceUse = {
      ...use,
      swapBytes: 1,
      swapLimitBytes: 2,
      tcp: {
        ...readTcp(readFileSync('/proc/self/net/snmp', 'utf8')),
        ...readTcpDrops(readFileSync('/proc/self/net/netstat', 'utf8')),
      },
    }
    const measured = allFigures(full, { ...full, steadyAt: later.steadyAt, cpuNs: later.cpuNs }).map(
      ({ name }) => name,
    )
    const known = Object.keys(containerMonitorMetrics)
    expect([...new Set([...measured, ...unmeasuredMetrics])].sort()).toEqual(
      [...known, ...pluginMetrics].sort(),
    )
    expect(measured.filter((name) => unmeasuredMetrics.has(name))).toEqual([])
  })
})

describe('a metric', () => {
  it.each([
    ['mem_agg_usage', false, 64 * 1024 ** 2],
    ['mem_agg_usage', true, 50],
    ['cpu_used', false, 0.2],
    ['cpu_used', true, 40],
    ['cpucap_cur_usage_percentage', false, 20],
    ['cpucap_cur_usage_percentage', true, 40],
    ['cpu_user_usage', false, 1e8],
    ['plugin_uptime_seconds', false, 70],
    ['plugin_restarts', false, 2],
    ['mem_swap', true, null],
    ['zfs_used', true, null],
  ] as const)('%s, as a percentage: %s, is %d', (name, percent, value) => {
    expect(metricOf(name, percent, use, later)).toBe(value)
  })

  it('that counts is summed over interfaces, and is what it grows by per second', () => {
    const grown = {
      ...later,
      interfaces: use.interfaces.map((one) => ({ ...one, bytesIn: one.bytesIn + 50 })),
    }
    expect(metricOf('net_agg_bytes_in', false, use, grown)).toBe(10)
  })

  it('that counts is not known without an earlier reading, nor when it began anew', () => {
    expect(metricOf('cpu_used', false, null, later)).toBeNull()
    expect(metricOf('cpu_used', false, later, { ...use, steadyAt: 20_000 })).toBeNull()
    expect(metricOf('vfs_bytes_read_count', false, { ...use, io: null }, later)).toBeNull()
  })

  it('that counts grows by as much per second where the clock was set between two readings', () => {
    const set = {
      ...later,
      at: 100_100,
      interfaces: later.interfaces.map((one) => ({ ...one, bytesIn: 70 })),
    }
    expect(metricOf('cpu_used', false, use, set)).toBe(0.2)
    expect(metricOf('net_agg_bytes_in', false, use, set)).toBe(10)
  })

  it('has no percentage where the instance has no limit', () => {
    expect(metricOf('mem_agg_usage', true, use, { ...later, memoryLimitBytes: null })).toBeNull()
  })
})

describe('the figures of an instance', () => {
  it('leave out what is not known or not limited', () => {
    const names = figuresOf({ ...use, memoryLimitBytes: null, io: null }).map(({ name }) => name)
    expect(names).not.toContain('mem_limit')
    expect(names).not.toContain('vfs_bytes_read_count')
    expect(names).toContain('mem_agg_usage')
  })

  it('have their types and interfaces', () => {
    const figures = figuresOf(use)
    expect(figures).toContainEqual({ name: 'mem_agg_usage', type: 'gauge', value: 64 * 1024 ** 2 })
    expect(figures).toContainEqual({
      name: 'net_agg_bytes_in',
      type: 'counter',
      value: 30,
      interface: 'eth1',
    })
  })
})

describe("the kernel's files", () => {
  it('tell the times of a control group of either version', () => {
    expect(readCpuTimes('usage_usec 30\nuser_usec 20\nsystem_usec 10\n')).toEqual({
      userNs: 20_000,
      systemNs: 10_000,
    })
    expect(readCpuTimes('user 20\nsystem 10\n')).toEqual({ userNs: 2e8, systemNs: 1e8 })
    expect(readCpuTimes('nr_periods 0\n')).toBeNull()
  })

  it('tell what went to and from devices, summed over them', () => {
    const expected = { readBytes: 11, writtenBytes: 22, reads: 3, writes: 4 }
    expect(
      readIoStat(
        '8:0 rbytes=10 wbytes=20 rios=1 wios=2 dbytes=0 dios=0\n8:16 rbytes=1 wbytes=2 rios=2 wios=2\n',
      ),
    ).toEqual(expected)
    expect(
      readBlkio(
        '8:0 Read 10\n8:0 Write 20\n8:16 Read 1\n8:16 Write 2\nTotal 33\n',
        '8:0 Read 3\n8:0 Write 4\nTotal 7\n',
      ),
    ).toEqual(expected)
    expect(
      readProcIo([
        'syscr: 1\nsyscw: 1\nread_bytes: 10\nwrite_bytes: 20\n',
        'syscr: 2\nsyscw: 3\nread_bytes: 1\nwrite_bytes: 2\n',
      ]),
    ).toEqual(expected)
  })

  it('tell the traffic of each interface, without the loopback', () => {
    const text = `Inter-|   Receive                  |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 9 9 0 0 0 0 0 0 9 9 0 0 0 0 0 0
  eth0: 1296 16 0 0 0 0 0 0 516 5 0 0 0 0 0 0
`
    expect(readInterfaces(text)).toEqual([
      { name: 'eth0', bytesIn: 1296, packetsIn: 16, bytesOut: 516, packetsOut: 5 },
    ])
  })

  it('tell of TCP by the names of Container Monitor', () => {
    const text =
      'Ip: Forwarding\nIp: 1\nTcp: RtoMin ActiveOpens CurrEstab RetransSegs\nTcp: 200 4 2 0\nUdp: In\nUdp: 3\n'
    expect(readTcp(text)).toEqual({
      tcp_active_open_count: 4,
      tcp_current_established_connections_total: 2,
      tcp_retransmitted_segment_count: 0,
    })
  })

  it('tell of connections that were dropped, in the file as the kernel of this machine writes it', () => {
    const drops = readTcpDrops(readFileSync('/proc/self/net/netstat', 'utf8'))
    expect(Object.keys(drops).sort()).toEqual([
      'tcp_listen_drop_Qzero_count',
      'tcp_listen_drop_count',
      'tcp_retransmit_timeout_drop_count',
    ])
    const text =
      'TcpExt: SyncookiesSent ListenOverflows TCPAbortOnTimeout\nTcpExt: 0 7 2\nIpExt: A\nIpExt: 1\n'
    expect(readTcpDrops(text)).toEqual({ tcp_listen_drop_count: 7, tcp_retransmit_timeout_drop_count: 2 })
  })

  it('tell how often memory was at its limit, in both versions', () => {
    expect(readMemoryFails('low 0\nhigh 0\nmax 5\noom 1\noom_kill 1\n')).toBe(5)
    expect(readMemoryFails('12\n')).toBe(12)
  })

  it('tell no limit as no number', () => {
    expect(readNumber('max\n')).toBeNull()
    expect(readNumber('9223372036854771712\n')).toBeNull()
    expect(readNumber('1048576\n')).toBe(1048576)
  })
})
