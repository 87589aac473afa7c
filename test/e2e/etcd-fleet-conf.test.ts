// A daemon that is configured by nothing but fleet's own file finds its etcd as the file says.
import { chmodSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startEtcd } from '../machines/etcd-host.js'
import { useHosts } from './host.js'

const newHost = useHosts()

test('servers, key prefix, user, password, TLS and time-out of a fleet.conf are those that count', async () => {
  const login = { name: 'fleet', password: 'secret' }
  const etcd = await startEtcd({ tls: true, login })
  try {
    const host = newHost()
    const { authority, certificate, key } = etcd.options.tls ?? {}
    const file = (name: string, text: Buffer | null | undefined) => {
      const path = host.file(name, String(text ?? ''))
      chmodSync(path, 0o600)
      return path
    }
    const conf = host.privateFile(
      'fleet.conf',
      [
        `etcd_servers=["https://${etcd.options.endpoints.join('","https://')}"]`,
        'etcd_key_prefix="/mariposa/of-fleet/"',
        `etcd_username="${login.name}"`,
        `etcd_password="${login.password}"`,
        `etcd_cafile="${file('ca.crt', authority)}"`,
        `etcd_certfile="${file('client.crt', certificate)}"`,
        `etcd_keyfile="${file('client.key', key)}"`,
        'etcd_request_timeout=2.5',
        'agent_ttl="20s"',
        'metadata="region=north"',
        'verbosity=1',
        'token_limit=100',
        '',
      ].join('\n'),
    )
    const daemon = await host.startDaemon('--config', conf)
    expect(daemon.saidSoFar()).toContain("fleet's token_limit has no effect here")
    expect(daemon.saidSoFar()).toContain(' debug store: written ')
    const machines = await host.done('machine', 'list', '--json')
    expect(JSON.parse(machines.stdout)).toMatchObject([{ metadata: { region: 'north' } }])
    const kept = etcd.ctl('get', '--prefix', '--keys-only', '/mariposa/').split('\n')
    expect(kept.filter((one) => one !== '').every((one) => one.startsWith('/mariposa/of-fleet/'))).toBe(true)
    expect(kept.some((one) => one.includes('machines/'))).toBe(true)
  } finally {
    await etcd.stop()
  }
})
