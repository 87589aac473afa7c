// A certificate of the API that is renewed while the daemon runs.
import { copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type PeerCertificate } from 'node:tls'
import { expect, test } from 'vitest'
import { freePort } from '../free-port.js'
import { type Certificates, makeCertificates } from './certificates.js'
import { until } from './cluster.js'
import { useHosts } from './host.js'

const openHost = useHosts()

/** The certificate that is shown on a port. */
function shownOn(port: number): Promise<PeerCertificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate())
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

test('is shown from then on, trusts who its authority trusts, and is told with its end', async () => {
  const host = openHost()
  const [before, after] = [makeCertificates(), makeCertificates(['127.0.0.1'], 'write', 40)]
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-renewed-'))
  const at = { ca: join(dir, 'ca.pem'), cert: join(dir, 'cert.pem'), key: join(dir, 'key.pem') }
  const put = (from: Certificates): void => {
    for (const name of ['ca', 'cert', 'key'] as const) copyFileSync(from[name], at[name])
  }
  put(before)
  const [port, triggers] = [await freePort(), await freePort()]
  const daemon = await host.startDaemon(
    ...['--listen', `tcp://127.0.0.1:${port}`, '--trigger-listen', `tcp://127.0.0.1:${triggers}`],
    ...['--tls-cert-file', at.cert, '--tls-key-file', at.key, '--tls-ca-file', at.ca],
  )
  await daemon.said('ends in 1 day')
  const [own] = (await host.done('machine', 'list', '-q')).stdout.trim().split('\n')
  const show = async () => (await host.done('machine', 'show', own ?? '')).stdout
  expect(await show()).toMatch(/^Certificates: +api until 20\d\d-/m)

  const old = await shownOn(port)
  put(after)
  daemon.signal('SIGHUP')
  await daemon.said('certificate renewed')
  const { fingerprint256, valid_to: validTo } = await shownOn(port)
  expect(fingerprint256).not.toBe(old.fingerprint256)
  expect((await shownOn(triggers)).fingerprint256).toBe(fingerprint256)
  await until(async () => expect(await show()).toContain(new Date(validTo).toISOString()))
  const list = (files: Certificates) =>
    host.run(
      ...['--endpoint', `https://127.0.0.1:${port}`, '--ca-file', after.ca],
      ...['--cert-file', files.cert, '--key-file', files.key, 'machine', 'list'],
    )
  expect((await list(after)).code).toBe(0)
  expect((await list(before)).code).not.toBe(0)
})
