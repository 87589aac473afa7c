// What is told of a pull that failed: one sentence, which says nothing twice.
import { describe, expect, test } from 'vitest'
import { isOverloaded, pullFailure } from '../../../src/drivers/docker/pull-failure.js'

/** Sentences of dockerd 20.10.24, and of those with containerd's image store. */
const refused: readonly (readonly [image: string, said: string, told: string])[] = [
  [
    'nosuch:1',
    "pull access denied for nosuch, repository does not exist or may require 'docker login': denied: requested access to the resource is denied",
    'nosuch:1 cannot be fetched from docker.io: it has no such repository, or shows it only after a login; check the name, or run docker login on this machine as the user of the daemon',
  ],
  [
    'nosuch:1',
    'failed to resolve reference "docker.io/library/nosuch:1": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
    'nosuch:1 cannot be fetched from docker.io: it has no such repository, or shows it only after a login; check the name, or run docker login on this machine as the user of the daemon',
  ],
  [
    'localhost:5000/x:1',
    'manifest for localhost:5000/x:1 not found: manifest unknown: manifest unknown',
    'localhost:5000/x:1 cannot be fetched from its registry: it has no such tag; check the name, or push it',
  ],
  [
    'nginx:nosuch',
    'docker.io/library/nginx:nosuch: not found',
    'nginx:nosuch cannot be fetched from docker.io: it has no such tag; check the name, or push it',
  ],
  [
    'localhost:5000/x:1@sha256:0123',
    'manifest for localhost:5000/x@sha256:0123 not found: manifest unknown: manifest unknown',
    'localhost:5000/x:1@sha256:0123 cannot be fetched from its registry: it has no such digest; check the name, or push it',
  ],
  [
    'r.example/x:1',
    'name unknown: repository name not known to registry',
    'r.example/x:1 cannot be fetched from its registry: it has no such repository; check the name, or push it',
  ],
  [
    'r.example/x:1',
    'Get "https://r.example/v2/x/manifests/1": unauthorized: authentication required',
    'r.example/x:1 cannot be fetched from its registry: it asks for a login (unauthorized: authentication required); run docker login r.example on this machine as the user of the daemon',
  ],
  [
    'localhost:5000/app:1',
    'Head "http://localhost:5000/v2/app/manifests/1": no basic auth credentials',
    'localhost:5000/app:1 cannot be fetched from its registry: it asks for a login (no basic auth credentials); run docker login localhost:5000 on this machine as the user of the daemon',
  ],
  [
    'app:1',
    'no matching manifest for linux/arm64/v8 in the manifest list entries',
    'app:1 cannot be fetched from docker.io: it has no build for linux/arm64/v8; build one, or let it run on other machines',
  ],
  [
    'App:1',
    'invalid reference format: repository name must be lowercase',
    'App:1 cannot be fetched from docker.io: that is not an image name; correct it in the manifest',
  ],
]

const passing: typeof refused = [
  [
    'r.example/x:1',
    'Get "https://r.example/v2/": dial tcp: lookup r.example on 192.0.2.53:53: no such host',
    'r.example/x:1 cannot be fetched from its registry: its name cannot be resolved (dial tcp: lookup r.example on 192.0.2.53:53: no such host); check the name, and DNS on this machine',
  ],
  [
    'localhost:1/app:1',
    'Get "http://localhost:1/v2/": dial tcp 127.0.0.1:1: connect: connection refused',
    'localhost:1/app:1 cannot be fetched from its registry: it cannot be reached (dial tcp 127.0.0.1:1: connect: connection refused); check that it runs, and the network of this machine',
  ],
  [
    'localhost:1/app:1',
    'failed to resolve reference "localhost:1/app:1": failed to do request: Head "https://localhost:1/v2/app/manifests/1": dial tcp 127.0.0.1:1: connect: connection refused',
    'localhost:1/app:1 cannot be fetched from its registry: it cannot be reached (dial tcp 127.0.0.1:1: connect: connection refused); check that it runs, and the network of this machine',
  ],
  [
    'nginx:1',
    'Get "https://registry-1.docker.io/v2/": net/http: request canceled while waiting for connection (Client.Timeout exceeded while awaiting headers)',
    'nginx:1 cannot be fetched from docker.io: it did not answer in time (net/http: request canceled while waiting for connection (Client.Timeout exceeded while awaiting headers)); check the network of this machine',
  ],
  [
    'r.example/x:1',
    'Get "https://r.example/v2/": x509: certificate signed by unknown authority',
    'r.example/x:1 cannot be fetched from its registry: its certificate is not trusted (x509: certificate signed by unknown authority); put that of its authority into /etc/docker/certs.d/r.example/ca.crt',
  ],
  [
    'r.example/x:1',
    'Get "https://r.example/v2/": http: server gave HTTP response to HTTPS client',
    'r.example/x:1 cannot be fetched from its registry: it speaks HTTP without TLS; give it a certificate, or list r.example as insecure-registries in Docker’s daemon.json',
  ],
  [
    'nginx:1',
    'toomanyrequests: You have reached your unauthenticated pull rate limit; access denied',
    'nginx:1 cannot be fetched from docker.io: it refuses for now (toomanyrequests: You have reached your unauthenticated pull rate limit; access denied); run docker login on this machine as the user of the daemon: it allows more pulls after a login',
  ],
  [
    'r.example/x:1',
    'received unexpected HTTP status: 503 Service Unavailable',
    'r.example/x:1 cannot be fetched from its registry: it refuses for now (received unexpected HTTP status: 503 Service Unavailable)',
  ],
  [
    'r.example/x:1',
    'received unexpected HTTP status: 500 Internal Server Error',
    'r.example/x:1 cannot be fetched from its registry: it has a fault of its own (received unexpected HTTP status: 500 Internal Server Error)',
  ],
  [
    'r.example/x:1',
    'received unexpected HTTP status: 404 Not Found after 502 Bad Gateway; unexpected EOF',
    'r.example/x:1 cannot be fetched from its registry: the connection broke (received unexpected HTTP status: 404 Not Found after 502 Bad Gateway; unexpected EOF)',
  ],
  [
    'r.example/x:1',
    'error pulling image configuration: unexpected EOF',
    'r.example/x:1 cannot be fetched from its registry: the connection broke (error pulling image configuration: unexpected EOF)',
  ],
  [
    'r.example/x:1',
    'no data for 120 s',
    'r.example/x:1 cannot be fetched from its registry: no data for 120 s',
  ],
  [
    'r.example/x:1',
    'something new: something new',
    'r.example/x:1 cannot be fetched from its registry: something new',
  ],
]

describe('a pull that failed', () => {
  test.each(refused)('of %s with %s is of no use again', (image, said, message) => {
    expect(pullFailure(image, said)).toEqual({ code: 'docker/image-missing', permanent: true, message })
  })

  test.each(passing)('of %s with %s may work later', (image, said, message) => {
    expect(pullFailure(image, said)).toEqual({ code: 'docker/image-missing', permanent: false, message })
  })

  test('says nothing twice', () => {
    for (const [image, said] of [...refused, ...passing]) {
      const { message } = pullFailure(image, said)
      expect(message.split(image)).toHaveLength(2)
      const parts = message.split(/[:;] /)
      expect(new Set(parts).size, message).toBe(parts.length)
    }
  })

  test('for a disk without room is told apart', () => {
    const said = 'failed to register layer: Error processing tar file: write /bin/sh: no space left on device'
    expect(pullFailure('app:1', said)).toEqual({
      code: 'docker/disk-full',
      permanent: false,
      message:
        'app:1 cannot be fetched from docker.io: no space is left on the disk of Docker; free some space there: docker system df shows what uses it',
    })
  })

  test('is not taken for what the name of the image says', () => {
    const said = 'manifest for r.example/timeout-429:1 not found: manifest unknown: manifest unknown'
    expect(pullFailure('r.example/timeout-429:1', said).permanent).toBe(true)
  })

  test.each([
    ['toomanyrequests: slow down', true],
    ['received unexpected HTTP status: 503 Service Unavailable', true],
    ['received unexpected HTTP status: 429 Too Many Requests', true],
    ['manifest for localhost:4290/x:1 not found: manifest unknown', false],
    ['received unexpected HTTP status: 500 Internal Server Error', false],
  ])('with %s: the registry has too much to do: %s', (said, overloaded) => {
    expect(isOverloaded(said)).toBe(overloaded)
  })
})
