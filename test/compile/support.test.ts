import { describe, expect, it } from 'vitest'
import { compileVersion } from '../../src/compile/compile.js'
import { unsupportedYet } from '../../src/compile/support.js'
import { parseManifest } from '../../src/manifest/manifest.js'
import type { ServiceManifest } from '../../src/manifest/schema.js'

function manifestOf(given: object): ServiceManifest {
  const { manifests, diagnostics } = parseManifest({ file: 'web.json', text: JSON.stringify(given) })
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  const [read] = manifests
  if (read === undefined) throw new Error('there is no manifest')
  return read.manifest
}

const version = { uuid: '0b2f8a52-3c1d-5e6f-8a9b-0c1d2e3f4a5b', ordinal: 1 }
const compile = (manifest: ServiceManifest) =>
  compileVersion({ project: 'default', manifest, version, file: 'web.json', package: { ram: 512, cpu: 50 } })
const nginx = { image: 'nginx' }
const watch = (source: string) => ({
  name: 'watched',
  source,
  operator: '>',
  value: 1,
  time: 60,
  action: 'increment',
})

describe('what is carried and not carried out yet', () => {
  it.each<[object, readonly string[]]>([
    [{ compute_type: 'lx', image: 'base-64' }, ['/compute_type']],
    [{ compute_type: 'kvm', image: 'ubuntu' }, ['/compute_type']],
    [{ compute_type: 'manta', service_type: 'event', command: 'wc' }, ['/compute_type']],
    [{ ...nginx, triggers: [watch('containermonitor.load_average')] }, ['/triggers/0/source']],
    [{ ...nginx, triggers: [watch('service.db.containermonitor.zfs_used')] }, ['/triggers/0/source']],
    [{ ...nginx, triggers: [watch('containermonitor.plugin_queue')] }, ['/triggers/0/source']],
  ])('%j is an error at %j', (given, paths) => {
    const found = compile(manifestOf(given)).diagnostics
    expect(found.map(({ path }) => path)).toEqual(paths)
    for (const one of found)
      expect(one).toMatchObject({ code: 'compile/not-supported-yet', severity: 'error', file: 'web.json' })
  })

  it.each([
    [nginx],
    [{ compute_type: 'process', command: 'web' }],
    [{ ...nginx, service_type: 'event' }],
    [{ ...nginx, service_type: 'scheduled', schedule: 'R/2026-01-01T00:00:00Z/PT1H' }],
    [{ ...nginx, webhooks: { url: 'https://hooks.example.com' } }],
    [{ ...nginx, autoscale: { enable: false } }],
    [{ ...nginx, triggers: [watch('containermonitor.plugin_restarts')] }],
    [{ ...nginx, triggers: [watch('containerpilot|containermonitor.load_average')] }],
    [{ ...nginx, autoscale: { notify_email: 'ops@example.com' } }],
    [{ ...nginx, autoscale: { enable: true, max: 3 } }],
    [{ ...nginx, triggers: { go: { url: true, action: 'start' } } }],
    [{ ...nginx, containerpilot: { port: 9090 } }],
    [{ ...nginx, ports: 80, healthchecks: [{ type: 'http', network: 'fabric-1' }] }],
    [{ compute_type: 'process', command: 'web', containerpilot: { network: 'fabric-1' } }],
    [{ ...nginx, package: 'g4-highcpu-512M', affinity: 'service!=db', spread: 'rack', dns: ['8.8.8.8'] }],
  ])('%j is carried out', (given) => {
    expect(unsupportedYet(manifestOf(given))).toEqual([])
    expect(compile(manifestOf(given)).text).not.toBe('')
  })

  it('compiles what a driver runs all the same, so that it can be looked at', () => {
    const { text } = compile(manifestOf({ ...nginx, autoscale: { enable: 'notify' } }))
    expect(text).toBe(compile(manifestOf(nginx)).text)
  })

  it('has no unit for what no driver runs', () => {
    expect(compile(manifestOf({ compute_type: 'kvm', image: 'ubuntu' })).text).toBe('')
  })
})
