import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { CommandError } from '../../src/cli/command-error.js'
import { refuseExposed } from '../../src/lib/io/private-file.js'
import { openEtcdSecrets } from '../../src/main/etcd-secrets.js'
import type { DaemonFlags } from '../../src/main/options.js'
import { readDaemonOptions } from '../../src/main/options.js'
import { type EtcdSettings, isAt } from '../../src/main/store-options.js'
import { defaultPackages } from '../../src/manifest/default-packages.js'
import { type Certificates, makeCertificates } from '../e2e/certificates.js'
import { removeDir } from '../remove-dir.js'

const dir = mkdtempSync(join(tmpdir(), 'mariposa-options-'))
afterAll(() => removeDir(dir))

function read(flags: DaemonFlags, env: Record<string, string> = {}) {
  return readDaemonOptions(flags, { root: true, home: '/root', env })
}

function problems(flags: DaemonFlags, env: Record<string, string> = {}): readonly string[] {
  return details(flags, env).map(({ message }) => message)
}

function details(flags: DaemonFlags, env: Record<string, string> = {}): CommandError['details'] {
  try {
    read(flags, env)
  } catch (error) {
    if (error instanceof CommandError && error.exitCode === 2) return error.details
    throw error
  }
  return []
}

function file(name: string, text: string): string {
  writeFileSync(join(dir, name), text, { mode: 0o600 })
  return join(dir, name)
}

describe("the daemon's options", () => {
  it('have defaults', () => {
    expect(read({}).options).toEqual({
      dataDir: '/var/lib/mariposa',
      store: { kind: 'embedded' },
      listen: [{ kind: 'unix', path: '/run/mariposa/mariposa.sock' }],
      access: { tls: null, tokens: [], insecure: false, advertise: null },
      triggerListen: [],
      metadata: {},
      publicIp: null,
      agentTtlMs: 30_000,
      awayGraceMs: 300_000,
      onStop: 'keep',
      onStopTimeoutMs: 60_000,
      engine: true,
      agent: true,
      drivers: null,
      secretKeyFile: '/var/lib/mariposa/secret.key',
      keepEventsMs: 30 * 86_400_000,
      keepLogs: { maxAgeMs: 7 * 86_400_000, maxBytes: 1024 ** 3 },
      keepVersions: 50,
      forgetAfterMs: 30 * 86_400_000,
      discard: false,
      docker: {
        logs: { maxBytes: 10_485_760, maxFiles: 3, isChosen: false },
        images: { maxAgeMs: 604_800_000, maxCount: 10, maxDiskPercent: 85 },
      },
      cns: { public: 'mariposa.internal', private: 'cns.mariposa.internal' },
      entry: null,
      dns: { addresses: [{ host: '127.0.0.1', port: 8053 }], isAsked: false, upstream: null, allow: [] },
      smtp: null,
      packages: defaultPackages,
      policy: null,
      logFormat: 'text',
      logLevels: { all: 'info', parts: {} },
    })
  })

  it('say how the log is written, and what of it', () => {
    const levels = (flags: DaemonFlags, env = {}) => read(flags, env).options.logLevels
    expect(read({ logFormat: 'json' }).options.logFormat).toBe('json')
    expect(levels({ logLevel: 'warn' })).toEqual({ all: 'warn', parts: {} })
    const both = { all: 'warn', parts: { engine: 'debug', store: 'error' } }
    expect(levels({ logLevel: 'engine=debug, warn,store=error' })).toEqual(both)
    expect(levels({}, { MARIPOSA_LOG_LEVEL: 'warn,engine=debug,store=error' })).toEqual(both)
    const config = file(
      'log.yml',
      'log-format: json\nlog-level:\n  - warn\n  - engine=debug\n  - store=error\n',
    )
    expect(read({ config }).options).toMatchObject({ logFormat: 'json', logLevels: both })
    expect(levels({ config: file('one-level.yml', 'log-level: error\n') })).toEqual({
      all: 'error',
      parts: {},
    })
    expect(levels({ config, logLevel: 'debug' })).toEqual({ all: 'debug', parts: {} })
  })

  it.each([
    [{ logFormat: 'xml' }, "--log-format: 'xml' is not one of text, json", null],
    [{ logLevel: 'loud' }, "--log-level: 'loud' is no level", 'levels: debug, info, warn, error'],
    [{ logLevel: '' }, "--log-level: '' is no level", 'levels: debug, info, warn, error'],
    [{ logLevel: 'engine=' }, "--log-level: '' is no level", 'levels: debug, info, warn, error'],
    [
      { logLevel: 'motor=debug' },
      "--log-level: 'motor' is no part of the log",
      expect.stringMatching(/^parts: agent, api, .*engine, /),
    ],
    [
      { logLevel: 'info,warn' },
      "--log-level: 'warn' gives everything a second level",
      'example: warn,engine=debug',
    ],
    [
      { logLevel: 'api=info,api=warn' },
      "--log-level: 'api=warn' gives api a second level",
      'example: warn,engine=debug',
    ],
  ])('refuse a log that cannot be: %j', (flags, message, hint) => {
    expect(details(flags)).toEqual([
      expect.objectContaining({ message, ...(hint !== null && { hint: hint as string }) }),
    ])
  })

  it('say where names are answered, who else may ask, and who is asked', () => {
    const dns = (flags: DaemonFlags) => read(flags).options.dns
    expect(dns({ dns: ['none'] })).toMatchObject({ addresses: [], isAsked: true })
    expect(dns({ dns: ['127.0.0.1:53', '[::1]:5353'] }).addresses).toEqual([
      { host: '127.0.0.1', port: 53 },
      { host: '::1', port: 5353 },
    ])
    expect(dns({ dnsUpstream: ['10.0.0.53', '::1', '[::1]:5300', '10.0.0.1:5300'] }).upstream).toEqual([
      { host: '10.0.0.53', port: 53 },
      { host: '::1', port: 53 },
      { host: '::1', port: 5300 },
      { host: '10.0.0.1', port: 5300 },
    ])
    expect(dns({ dnsAllow: ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'] }).allow).toEqual([
      { address: '10.0.0.0', bits: 8 },
      { address: '192.0.2.7', bits: 32 },
      { address: '2001:db8::', bits: 32 },
    ])
    for (const bad of ['127.0.0.1', 'localhost:53', '1.2.3.4:70000', '::1:53'])
      expect(problems({ dns: [bad] }), bad).toEqual([
        expect.stringContaining(`--dns: '${bad}' is not of the form ADDRESS:PORT`),
      ])
    expect(problems({ dns: ['none', '127.0.0.1:53'] })).toEqual([
      '--dns: none cannot be combined with an address',
    ])
    for (const bad of ['10.0.0.0/33', 'net', '10.0.0.0/8/8'])
      expect(problems({ dnsAllow: [bad] })).toEqual([
        expect.stringContaining(`'${bad}' is not of the form network`),
      ])
  })

  it('say where the entry is', () => {
    const entry = (flags: DaemonFlags) => read(flags).options.entry
    expect(entry({})).toBeNull()
    const everywhere = { http: { host: '', port: 80 }, https: { host: '', port: 443 }, role: null }
    expect(entry({ entry: true })).toEqual(everywhere)
    expect(entry({ entry: 'no' })).toBeNull()
    expect(entry({ entry: 'role=edge,region=north' })).toEqual({
      ...everywhere,
      role: { role: ['edge'], region: ['north'] },
    })
    expect(problems({ entry: 'edge' })).toEqual(["--entry: 'edge' is neither true, false nor metadata"])
    expect(entry({ entry: true, entryHttp: '10.0.0.5:8080', entryHttps: '[::1]:8443' })).toEqual({
      http: { host: '10.0.0.5', port: 8080 },
      https: { host: '::1', port: 8443 },
      role: null,
    })
    for (const bad of ['80', ':0', ':70000', 'a.example:80', '[]:80', '::1:80', ''])
      expect(problems({ entry: true, entryHttp: bad })).toEqual([
        `--entry-http: '${bad}' is not of the form [ADDRESS]:PORT`,
      ])
    expect(problems({ entryHttp: ':8080' })).toEqual(['--entry-http: the daemon has no entry'])
    expect(problems({ entry: true, entryHttps: ':80' })).toEqual([
      '--entry-https: port 80 cannot serve both HTTP and HTTPS',
    ])
  })

  it('say how containers and images are kept', () => {
    const logs = (flags: DaemonFlags) => read(flags).options.docker.logs
    expect(logs({ containerLogMaxSize: '1g' })).toEqual({ maxBytes: 2 ** 30, maxFiles: 3, isChosen: true })
    expect(logs({ containerLogMaxSize: 'none' })).toMatchObject({ maxBytes: null })
    expect(logs({ containerLogMaxFiles: '1' })).toMatchObject({ maxFiles: 1, isChosen: true })
    const images = (keepImages: string) => read({ keepImages }).options.docker.images
    expect(images('all')).toBeNull()
    expect(images('none')).toEqual({ maxAgeMs: 0, maxCount: 0, maxDiskPercent: null })
    expect(images('2d')).toEqual({ maxAgeMs: 172_800_000, maxCount: null, maxDiskPercent: null })
    expect(images('90%, 3')).toEqual({ maxAgeMs: null, maxCount: 3, maxDiskPercent: 90 })
    for (const bad of ['1,2', 'ever', '101%', '', '-1d'])
      expect(problems({ keepImages: bad })).toEqual([`--keep-images: '${bad}' is not a valid value`])
    expect(problems({ containerLogMaxSize: '1', containerLogMaxFiles: '0' })).toEqual([
      "--container-log-max-size: '1' is not a valid value",
      "--container-log-max-files: '0' is not a valid value",
    ])
  })

  it('say how long the logs of what is gone are kept, and how much of them', () => {
    const kept = (keepLogs: string) => read({ keepLogs }).options.keepLogs
    expect(kept('none')).toEqual({ maxAgeMs: 0, maxBytes: 0 })
    expect(kept('2d')).toEqual({ maxAgeMs: 172_800_000, maxBytes: 2 ** 30 })
    expect(kept('1h, 10M')).toEqual({ maxAgeMs: 3_600_000, maxBytes: 10 * 2 ** 20 })
    for (const bad of ['', 'all', '0', '10M', '1d,1d', '1d,infinity', '1d,1G,1'])
      expect(problems({ keepLogs: bad })).toEqual([`--keep-logs: '${bad}' is not a valid value`])
  })

  it('name the key of the secrets and the domains of names', () => {
    const { options } = read({
      dataDir: '/data',
      secretKeyFile: '/etc/mariposa/key',
      cnsSuffixPublic: 'example.org',
      cnsSuffixPrivate: 'cns.example.org',
    })
    expect(options).toMatchObject({
      secretKeyFile: '/etc/mariposa/key',
      cns: { public: 'example.org', private: 'cns.example.org' },
    })
    expect(read({ dataDir: '/data' }).options.secretKeyFile).toBe('/data/secret.key')
    expect(problems({ cnsSuffixPublic: '.Example' })).toEqual([
      "--cns-suffix-public: '.Example' is not a domain in lower case",
    ])
  })

  it('name the networks of the machine by addresses', () => {
    const metadata = 'network.back=10.0.0.5,network.6a5e6d6a-9d2c=fd00::5,networks=many'
    expect(read({ dataDir: '/data', metadata }).options.metadata).toEqual({
      'network.back': '10.0.0.5',
      'network.6a5e6d6a-9d2c': 'fd00::5',
      networks: 'many',
    })
    expect(problems({ metadata: 'network.back=node-1' })).toEqual([
      '--metadata: "node-1" is not an IPv4 or IPv6 address, which network.back has to be',
    ])
    expect(problems({ metadata: '__proto__=a' })).toEqual(['--metadata: the key __proto__ cannot be sent'])
    expect(problems({ metadata: 'network.=10.0.0.5' })).toEqual(['--metadata: "" is not a network name'])
    expect(problems({ metadata: 'network.public=10.0.0.5' })).toEqual([
      '--metadata: instances answer on public without an address of the machine',
    ])
  })

  it('name a file with the packages', () => {
    const packages = file('packages.yml', '- {name: own-1G, ram: 1G, disk: 25G, cpu: 100}\n')
    expect(read({ packages }).options.packages).toMatchObject([{ name: 'own-1G', family: 'own', ram: 1024 }])
    expect(read({}, { MARIPOSA_PACKAGES: packages }).options.packages).toHaveLength(1)
    expect(problems({ packages: file('wrong.yml', '- {name: own-1G, rum: 1G}\n') })).toContain(
      'there is no key "rum" here',
    )
    expect(problems({ packages: join(dir, 'none.yml') })).toEqual([
      expect.stringMatching(/^--packages: .*none\.yml cannot be read: /),
    ])
  })

  it('are read from flags', () => {
    const { options } = read({
      dataDir: '/data',
      listen: ['unix:/s', 'unix:///t', 'tcp://127.0.0.1:0', 'tcp://[::1]:7070'],
      metadata: 'region=north,disk=ssd',
      publicIp: '192.0.2.1',
      agentTtl: '1m',
      engine: false,
      driver: ['process', 'docker'],
    })
    expect(options.listen).toEqual([
      { kind: 'unix', path: '/s' },
      { kind: 'unix', path: '/t' },
      { kind: 'tcp', host: '127.0.0.1', port: 0 },
      { kind: 'tcp', host: '::1', port: 7070 },
    ])
    expect(options).toMatchObject({
      metadata: { region: 'north', disk: 'ssd' },
      agentTtlMs: 60_000,
      engine: false,
      drivers: ['process', 'docker'],
    })
  })

  it('let flags win over the environment, and that over the file', () => {
    const config = file(
      'm.yml',
      'data-dir: /from-file\npublic-ip: 192.0.2.3\nmetadata: { a: 1, b: x }\nlisten:\n  - unix:/f\n',
    )
    const env = {
      MARIPOSA_CONFIG: config,
      MARIPOSA_DATA_DIR: '/from-env',
      MARIPOSA_LISTEN: 'unix:/e,tcp://localhost:1',
      MARIPOSA_NO_AGENT: 'true',
    }
    expect(read({ listen: ['unix:/flag'] }, env).options).toMatchObject({
      dataDir: '/from-env',
      listen: [{ kind: 'unix', path: '/flag' }],
      metadata: { a: '1', b: 'x' },
      publicIp: '192.0.2.3',
      agent: false,
    })
    expect(read({}, env).options.listen).toHaveLength(2)
  })

  it('may stand in a fleet.conf; what means nothing here is told, not dropped in silence', () => {
    const config = file(
      'fleet.conf',
      '# fleet\ntoken_limit=9\nverbosity=1\npublic_ip="192.0.2.9"\nmetadata="region=us-west,az=b"\nagent_ttl="10s"\ndisable_engine=true\n',
    )
    const { options, warnings } = read({ config })
    expect(options).toMatchObject({
      publicIp: '192.0.2.9',
      metadata: { region: 'us-west', az: 'b' },
      agentTtlMs: 10_000,
      engine: false,
      logLevels: { all: 'debug', parts: {} },
    })
    expect(warnings).toMatchObject([
      { severity: 'warning', line: 2, message: expect.stringContaining('token_limit') as string },
    ])
  })

  it("may stand in fleet's variables of the environment, above a file and below our own", () => {
    const config = file('below.conf', 'public_ip=192.0.2.1\nmetadata=region=north\nagent_ttl=10s\n')
    const { options, warnings } = read(
      { config, agentTtl: '40s' },
      {
        ...{ FLEET_PUBLIC_IP: '192.0.2.2', FLEET_METADATA: 'region=south', FLEET_AGENT_TTL: '20s' },
        ...{ FLEET_ETCD_SERVERS: '["http://10.0.0.1:2379"]', FLEET_DISABLE_ENGINE: 'true' },
        ...{
          MARIPOSA_METADATA: 'region=east',
          FLEET_VERBOSITY: '0',
          FLEET_TOKEN_LIMIT: '9',
          FLEET_SHIP: 'Argo',
          FLEET_ETCD_CAFILE: '',
        },
      },
    )
    expect(options).toMatchObject({
      ...{ publicIp: '192.0.2.2', metadata: { region: 'east' }, agentTtlMs: 40_000, engine: false },
      store: { kind: 'etcd', endpoints: ['10.0.0.1:2379'] },
    })
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining("fleet's FLEET_TOKEN_LIMIT"),
    ])
  })

  it("name the variable of fleet's that they cannot be read from", () => {
    expect(problems({}, { FLEET_ETCD_SERVERS: 'nowhere', FLEET_PUBLIC_IP: 'x' })).toEqual([
      expect.stringContaining('FLEET_ETCD_SERVERS: '),
      expect.stringContaining('FLEET_PUBLIC_IP: '),
    ])
  })

  it('may name an etcd in a fleet.conf, with TLS and a user', () => {
    const config = file(
      'etcd.conf',
      [
        'etcd_servers=["https://a:2379", "https://b:2379"]',
        'etcd_key_prefix="/_coreos.com/fleet/"',
        'etcd_username=me',
        'etcd_password="secret"',
        'etcd_cafile=/ca.pem',
        'etcd_certfile=',
        'etcd_request_timeout=1.5',
      ].join('\n'),
    )
    expect(read({ config }).options.store).toEqual({
      kind: 'etcd',
      endpoints: ['a:2379', 'b:2379'],
      prefix: '/_coreos.com/fleet/',
      tls: { caFile: '/ca.pem', certFile: null, keyFile: null },
      user: 'me',
      password: { text: 'secret' },
      requestTimeoutMs: 1500,
    })
  })

  it.each([
    ['systemd_user=true', /system alone/],
    ['etcd_servers=["http://a:1","https://b:1"]', /either all servers or none need TLS/],
    ['etcd_servers=a:2379', /not an etcd server/],
    ['verbosity=much', /not a whole number/],
    ['etcd_request_timeout=soon', /not a number of seconds/],
    ['etcd_cafile=/ca.pem', /has no effect without/],
  ])('refuse what a fleet.conf asks for and cannot have: %s', (line, expected) => {
    expect(problems({ config: file('asks.conf', `${line}\n`) })[0]).toMatch(expected)
  })

  it.each([
    'engine_reconcile_interval=2.0',
    'units_directory="/run/fleet/units/"',
    'systemd_user=false',
    'token_limit=100',
    'enable_grpc=true',
    'disable_watches=true',
    'verify_units=true',
    'authorized_keys_file=~/.ssh/authorized_keys',
  ])('warn of what has no counterpart in a fleet.conf: %s', (line) => {
    const { warnings } = read({ config: file('warns.conf', `${line}\n`) })
    expect(warnings).toMatchObject([{ severity: 'warning', line: 1 }])
    expect(warnings[0]?.message).toContain(line.split('=')[0])
  })

  it('listen on sockets that were handed over in place of the default one, and beside those that are named', () => {
    const account = { root: true, home: '/root', env: {} }
    const listenOf = (flags: DaemonFlags) => readDaemonOptions(flags, account, [3, 4]).options.listen
    expect(listenOf({})).toEqual([
      { kind: 'inherited', fd: 3 },
      { kind: 'inherited', fd: 4 },
    ])
    expect(listenOf({ listen: ['unix:/s'] })).toHaveLength(3)
  })

  it('let others reach the API where they are asked who they are, and announce where', () => {
    const [cert, key, ca] = ['cert', 'key', 'ca'].map((name) => file(`${name}.pem`, name))
    const tokens = file('tokens', `# us\nwrite ${'a'.repeat(16)}\nread ${'b'.repeat(16)}\n`)
    if (cert === undefined || key === undefined || ca === undefined) throw new Error('no files')
    const tls = { tlsCertFile: cert, tlsKeyFile: key }
    const open: DaemonFlags = { listen: ['tcp://0.0.0.0:7443'], publicIp: '192.0.2.1' }
    expect(read({ ...open, ...tls, tlsCaFile: ca }).options.access).toEqual({
      tls: { cert: 'cert', key: 'key', ca: 'ca', files: { cert, key, ca } },
      tokens: [],
      insecure: false,
      advertise: 'https://192.0.2.1:7443',
    })
    expect(read({ ...open, ...tls, tokenFile: tokens }).options.access.tokens).toEqual([
      { role: 'write', text: 'a'.repeat(16) },
      { role: 'read', text: 'b'.repeat(16) },
    ])
    expect(read({ advertise: 'https://a.example:1/' }).options.access.advertise).toBe('https://a.example:1')
    const refused = ['--listen: 0.0.0.0 can be reached from outside']
    expect(problems({ ...open })).toEqual(refused)
    expect(problems({ ...open, ...tls })).toEqual(refused)
    expect(problems({ ...open, tokenFile: tokens })).toEqual(refused)
    expect(read({ ...open, insecureListen: true }).options).toMatchObject({
      listen: [{ host: '0.0.0.0' }],
      access: { insecure: true, tls: null, advertise: null },
    })
    const named = { insecureListen: ['tcp://127.0.0.1:7401'] }
    expect(read(named).options).toMatchObject({
      listen: [{ kind: 'unix' }, { kind: 'tcp', host: '127.0.0.1', port: 7401 }],
      access: { insecure: true },
    })
    expect(problems({ ...open, ...named })).toEqual([
      '--listen: a daemon admits everybody on all of its TCP addresses, or on none',
    ])
    const several = { MARIPOSA_INSECURE_LISTEN: 'tcp://127.0.0.1:7401,tcp://127.0.0.1:7402' }
    expect(read({}, several).options.listen).toHaveLength(3)
    expect(problems({ insecureListen: ['unix:/run/x.sock'] })).toHaveLength(1)
    expect(problems({ insecureListen: ['maybe'] })).toHaveLength(1)
    expect(problems({ ...open, insecureListen: true, tokenFile: tokens })).toEqual([
      '--token-file: --insecure-listen admits everybody, without TLS and without a token',
    ])
    expect(problems({ tlsCertFile: cert })).toEqual([
      '--tls-cert-file: a certificate needs its key, and a key its certificate',
    ])
    expect(problems({ tokenFile: file('short', 'write abc\n') })[0]).toContain('16 characters')
    // A header of HTTP holds no others, so that nobody could ever show such a token.
    for (const token of ['geheimnisvoll-üöä', `${'a'.repeat(16)}\u00a0`, `${'a'.repeat(16)}\u0007`]) {
      const path = file('foreign', `# ours\nread ${'r'.repeat(16)}\nwrite ${token}x\n`)
      expect(problems({ tokenFile: path })).toEqual([
        `--token-file: ${path}:3: a token may only have ASCII letters, digits and signs`,
      ])
    }
    expect(problems({ advertise: 'a.example' })[0]).toContain('is not an address')
    expect(read({ advertise: 'http://[::1]:7443' }).options.access.advertise).toBe('http://[::1]:7443')
    expect(problems({ advertise: 'http://10.0.0.1:7443' })).toEqual([
      '--advertise: http://10.0.0.1:7443 is without TLS, and beyond the loopback',
    ])
  })

  it('refuse files with keys, tokens and passwords that every user of the host may read or write', () => {
    const exposed = (name: string, mode: number): string => {
      const path = file(name, `write ${'a'.repeat(16)}\n`)
      chmodSync(path, mode)
      return path
    }
    const shown = exposed('shown', 0o644)
    for (const mode of [0o604, 0o602]) {
      const path = exposed('exposed', mode)
      const smtp = { smtp: 'smtp://a', smtpFrom: 'm@a.example', smtpUser: 'me' }
      const refused = (option: string) => [`${option}: others may read or write ${path}`]
      expect(problems({ tokenFile: path })).toEqual(refused('--token-file'))
      expect(problems({ tlsCertFile: shown, tlsKeyFile: path })).toEqual(refused('--tls-key-file'))
      expect(problems({ ...smtp, smtpPasswordFile: path })).toEqual(refused('--smtp-password-file'))
      const tls = { caFile: null, certFile: null, keyFile: null }
      const etcd = {
        kind: 'etcd',
        endpoints: ['a:1'],
        prefix: '/m/',
        user: 'me',
        requestTimeoutMs: 1,
      } as const
      const secrets = (more: Pick<EtcdSettings, 'tls' | 'password'>) => openEtcdSecrets({ ...etcd, ...more })
      expect(secrets({ tls, password: null })).not.toThrow()
      expect(secrets({ tls: { ...tls, keyFile: path }, password: null })).toThrow(/others may read/)
      expect(secrets({ tls, password: { file: path } })).toThrow(/others may read/)
      // What no connection could be made with is a mistake in the options, before anything is begun with it.
      expect(secrets({ tls: { ...tls, certFile: shown }, password: null })).toThrow(/cannot be used/)
    }
    expect(problems({ tokenFile: exposed('group', 0o640) })).toEqual([])
  })

  it('say of a file that is refused nothing more where an address needs it', () => {
    const [shown, key] = [file('a.pem', 'a'), file('shown.key', 'k')]
    chmodSync(key, 0o604)
    const listen = ['tcp://0.0.0.0:1']
    const why = `--tls-key-file: others may read or write ${key}`
    const outside = '--listen: 0.0.0.0 can be reached from outside'
    const tls = { tlsCertFile: shown, tlsKeyFile: key }
    expect(problems({ listen, ...tls, tlsCaFile: shown })).toEqual([why])
    expect(problems({ listen, ...tls })).toEqual([why, outside])
  })

  it('refuse certificates and authorities that every user of the host may write', () => {
    const path = file('trust.pem', 'no matter what')
    chmodSync(path, 0o646)
    const why = `everybody may write to ${path}, and so say whom this daemon trusts`
    expect(problems({ tlsCaFile: path })).toEqual([`--tls-ca-file: ${why}`])
    expect(problems({ tlsCertFile: path, tlsKeyFile: file('a.key', 'k') })).toEqual([
      `--tls-cert-file: ${why}`,
    ])
    const tls = { caFile: null, certFile: null, keyFile: null }
    const etcd = { kind: 'etcd', endpoints: ['a:1'], prefix: '/m/', user: null, requestTimeoutMs: 1 } as const
    for (const own of [{ caFile: path }, { certFile: path }])
      expect(openEtcdSecrets({ ...etcd, tls: { ...tls, ...own }, password: null })).toThrow(
        expect.objectContaining({ code: 'daemon/exposed', message: why }),
      )
  })

  it('go on with the files of etcd that were read before, where everybody may write to one', () => {
    const path = file('password', 'first\n')
    chmodSync(path, 0o600)
    const told: string[] = []
    const secrets = openEtcdSecrets(
      {
        ...{ kind: 'etcd', endpoints: ['a:1'], prefix: '/m/', user: 'me', requestTimeoutMs: 1, tls: null },
        password: { file: path },
      },
      (why) => told.push(why),
    )
    expect(secrets().login?.password).toBe('first')
    writeFileSync(path, 'second\n')
    chmodSync(path, 0o602)
    expect([secrets().login?.password, secrets().login?.password]).toEqual(['first', 'first'])
    expect(told).toEqual([`others may read or write ${path}`])
    chmodSync(path, 0o600)
    expect(secrets().login?.password).toBe('second')
  })

  it('go on with the certificates for etcd that were read before, where the new ones cannot be used, and say why once', () => {
    const [good, next] = [makeCertificates(), makeCertificates()]
    const expired = makeCertificates(['127.0.0.1'], 'write', -1)
    const tls = { caFile: file('etcd.ca', ''), certFile: file('etcd.crt', ''), keyFile: file('etcd.key', '') }
    const put = ({ ca, cert, key }: Certificates): void => {
      copyFileSync(ca, tls.caFile)
      copyFileSync(cert, tls.certFile)
      copyFileSync(key, tls.keyFile)
      chmodSync(tls.keyFile, 0o600)
    }
    const told: string[] = []
    put(good)
    const secrets = openEtcdSecrets(
      {
        ...{ kind: 'etcd', endpoints: ['a:1'], prefix: '/m/', user: null, requestTimeoutMs: 1 },
        tls,
        password: null,
      },
      (why) => told.push(why),
    )
    const before = secrets()
    const faults: readonly [() => void, RegExp][] = [
      [() => copyFileSync(next.cert, tls.certFile), /cannot be used/],
      [() => writeFileSync(tls.caFile, 'nothing'), /it holds no certificate/],
      [() => rmSync(tls.keyFile), /etcd\.key cannot be read/],
      [() => put(expired), /--etcd-cert-file expired at/],
    ]
    for (const [at, [damage, why]] of faults.entries()) {
      put(good)
      expect(secrets()).toBe(before)
      damage()
      expect([secrets(), secrets()]).toEqual([before, before])
      expect(told).toHaveLength(at + 1)
      expect(told.at(-1)).toMatch(why)
    }
    put(next)
    expect(String(secrets().tls?.certificate)).toBe(readFileSync(next.cert, 'utf8'))
  })

  it('refuse a key of the secrets at once that cannot be used, under its own name and in the data directory', () => {
    const key = `${Buffer.alloc(32).toString('base64')}\n`
    const path = file('secret.key', key)
    chmodSync(path, 0o640)
    const exposed = `others may read or write ${path}`
    expect(problems({ secretKeyFile: path })).toEqual([`--secret-key-file: ${exposed}`])
    expect(problems({ dataDir: dir })).toEqual([`secret-key-file: ${exposed}`])
    chmodSync(path, 0o600)
    expect(problems({ secretKeyFile: path })).toEqual([])
    writeFileSync(path, 'short\n')
    expect(problems({ secretKeyFile: path })[0]).toContain('holds no key')
    expect(problems({ secretKeyFile: join(dir, 'not-yet.key') })).toEqual([])
  })

  it('refuse files with secrets that belong to somebody else, who is not root', () => {
    const owned = (uid: number) => () => refuseExposed('/k', { uid, mode: 0o100600 }, 'owner', 990)
    expect(owned(1000)).toThrow('/k belongs to user 1000, who may read and change it')
    expect(owned(0)).not.toThrow()
    expect(owned(990)).not.toThrow()
  })

  it.each([
    ['etcd://a:1,b:1/here/', true],
    ['etcds://b:1/here', true],
    ['etcd://b:2/here/', false],
    ['etcd://c:1/here/', false],
    ['etcd://a:1/there/', false],
    ['etcd://a:1', false],
    ['embedded', false],
  ])('know whether %s is the etcd that they name', (address, isSame) => {
    const { store } = read({ store: 'etcd://a:1,b,b:1,[::1]:2', etcdPrefix: 'here' }).options
    expect(store.kind === 'etcd' && isAt(address, store)).toBe(isSame)
  })

  it('name an etcd with its members, its prefix, and who we are there', () => {
    expect(read({ store: 'etcd://a:1,[::1]:2,c' }).options.store).toEqual({
      kind: 'etcd',
      endpoints: ['a:1', '[::1]:2', 'c:2379'],
      prefix: '/mariposa/',
      tls: null,
      user: null,
      password: null,
      requestTimeoutMs: 3000,
    })
    const env = {
      MARIPOSA_STORE: 'etcds://me%40home:pa%3Ass@a:1/teams/a',
      MARIPOSA_ETCD_CA_FILE: '/ca',
      MARIPOSA_ETCD_REQUEST_TIMEOUT: '5s',
    }
    expect(read({ etcdCertFile: '/cert', etcdKeyFile: '/key' }, env).options.store).toEqual({
      kind: 'etcd',
      endpoints: ['a:1'],
      prefix: '/teams/a/',
      tls: { caFile: '/ca', certFile: '/cert', keyFile: '/key' },
      user: 'me@home',
      password: { text: 'pa:ss' },
      requestTimeoutMs: 5000,
    })
    expect(
      read({ store: 'etcd://me@a', etcdPasswordFile: '/secret', etcdPrefix: 'x' }).options.store,
    ).toMatchObject({
      user: 'me',
      password: { file: '/secret' },
      prefix: '/x/',
    })
    const config = file('etcd.conf', 'etcd_servers=["http://a:2379","http://b:2379"]\n')
    expect(read({ config }).options.store).toMatchObject({ endpoints: ['a:2379', 'b:2379'] })
  })

  it('serve trigger URLs where they are told to, and beyond the loopback with TLS alone', () => {
    const triggerListen = ['tcp://127.0.0.1:7480', 'unix:/run/triggers.sock']
    expect(read({ triggerListen }).options.triggerListen).toEqual([
      { kind: 'tcp', host: '127.0.0.1', port: 7480 },
      { kind: 'unix', path: '/run/triggers.sock' },
    ])
    expect(read({}, { MARIPOSA_TRIGGER_LISTEN: triggerListen.join(',') }).options.triggerListen).toHaveLength(
      2,
    )
    expect(problems({ triggerListen: ['tcp://0.0.0.0:7480'] })).toEqual([
      '--trigger-listen: 0.0.0.0 can be reached from outside',
    ])
    const [tlsCertFile, tlsKeyFile] = [file('cert.pem', 'cert'), file('key.pem', 'key')]
    expect(problems({ triggerListen: ['tcp://0.0.0.0:7480'], tlsCertFile, tlsKeyFile })).toEqual([])
  })

  it('name a mail server, with its password from a file', () => {
    const smtpPasswordFile = file('password', 'pass word\n')
    expect(
      read({
        smtp: 'smtp://mail.example',
        smtpFrom: 'mariposa@shop.example',
        smtpUser: 'me',
        smtpPasswordFile,
        smtpCaFile: file('ca.pem', 'ca'),
      }).options.smtp,
    ).toEqual({
      host: 'mail.example',
      port: 587,
      secure: false,
      requireTls: true,
      from: 'mariposa@shop.example',
      login: { user: 'me', password: 'pass word' },
      ca: 'ca',
    })
    const env = { MARIPOSA_SMTP: 'smtps://[::1]', MARIPOSA_SMTP_FROM: 'm@shop.example' }
    expect(read({}, env).options.smtp).toMatchObject({ host: '::1', port: 465, secure: true, login: null })
  })

  it.each<[string, DaemonFlags, RegExp]>([
    ['no sender', { smtp: 'smtp://a' }, /--smtp-from is missing/],
    ['a sender that is none', { smtp: 'smtp://a', smtpFrom: 'me' }, /is not an e-mail address/],
    ['no server', { smtpFrom: 'm@a.example' }, /has no effect without --smtp/],
    ['a server that is none', { smtp: 'http://a', smtpFrom: 'm@a.example' }, /is not a mail server/],
    [
      'a password for all to see',
      { smtp: 'smtp://me:pass@a' },
      /the password in the address is visible to everybody/,
    ],
    [
      'a user without a password',
      { smtp: 'smtp://a', smtpFrom: 'm@a.example', smtpUser: 'me' },
      /have to be given together/,
    ],
    [
      'a password that is not there',
      { smtp: 'smtp://a', smtpFrom: 'm@a.example', smtpUser: 'me', smtpPasswordFile: '/none/here' },
      /cannot be read/,
    ],
  ])('refuse a mail server with %s', (_what, flags, expected) => {
    const found = problems(flags)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(expected)
    expect(found[0]).not.toContain('pass@')
  })

  it.each<[string, DaemonFlags, Record<string, string>, RegExp]>([
    ['a password for all to see', { store: 'etcd://me:pass@a' }, {}, /everybody on this host can read/],
    ['a user without a password', { store: 'etcd://me@a' }, {}, /has no password/],
    [
      'a password of nobody',
      { store: 'etcd://a' },
      { MARIPOSA_ETCD_PASSWORD: 'x' },
      /the user of the password is missing/,
    ],
    ['a certificate without TLS', { store: 'etcd://a', etcdCaFile: '/ca' }, {}, /without TLS/],
    ['a certificate without a key', { store: 'etcds://a', etcdCertFile: '/c' }, {}, /has no key/],
    ['an option of etcd without etcd', { etcdUser: 'me' }, {}, /has no effect without/],
    ['no member', { store: 'etcd:///x' }, {}, /is not a store/],
    ['a port that is none', { store: 'etcd://a:99999' }, {}, /is not a store/],
    ['an empty prefix', { store: 'etcd://a', etcdPrefix: '/' }, {}, /the prefix is empty/],
    ['no time at all', { store: 'etcd://a', etcdRequestTimeout: '1ms' }, {}, /100ms to 1m/],
  ])('refuse a store with %s', (_what, flags, env, expected) => {
    const found = problems(flags, env)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(expected)
  })

  it('are refused all at once where they are wrong', () => {
    const config = file('bad.yml', 'datadir: /x\nno-engine: perhaps\n')
    expect(
      problems({
        config,
        store: 'mysql://me:secret@a:1',
        listen: ['tcp://0.0.0.0:80'],
        metadata: 'x',
        publicIp: 'here',
        agentTtl: '1ms',
        keepEvents: 'ever',
        keepLogs: '1G',
        keepVersions: '0',
        driver: ['vm'],
      }),
    ).toEqual([
      "'datadir' is not an option",
      "--store: 'mysql://me:…@a:1' is not a store",
      "--public-ip: 'here' is not an IP address",
      '--listen: 0.0.0.0 can be reached from outside',
      "--metadata: 'x' is not of the form key=value",
      "--agent-ttl: '1ms' is not a duration of at least a second",
      "no-engine: 'perhaps' is neither true nor false",
      "--driver: 'vm' is not a driver",
      "--keep-events: 'ever' is not a duration of at least a second",
      "--keep-logs: '1G' is not a valid value",
      "--keep-versions: '0' is not a whole number of at least one",
    ])
  })

  it('refuse a file that says nothing, and one that is no regular file', () => {
    for (const name of ['empty.yml', 'empty.conf']) {
      expect(problems({ config: file(name, '\n') })).toEqual(['the file is empty'])
      expect(read({ config: file(name, '# nothing is set\n') }).options).toEqual(read({}).options)
    }
    expect(() => read({ config: dir })).toThrow(`${dir} cannot be read: it is a directory`)
    const [empty, fifo] = [file('empty.txt', '\n'), join(dir, 'fifo')]
    execFileSync('mkfifo', [fifo])
    for (const [path, why] of [
      [empty, 'it is empty'],
      [fifo, 'it is a FIFO, and no regular file'],
    ] as const)
      expect(problems({ tokenFile: path, tlsCaFile: path })).toEqual([
        `--tls-ca-file: ${path} cannot be read: ${why}`,
        `--token-file: ${path} cannot be read: ${why}`,
      ])
    expect(problems({ packages: fifo })).toEqual([
      `--packages: ${fifo} cannot be read: it is a FIFO, and no regular file`,
    ])
  })

  it.each([
    ['broken.yml', 'a: [', /.+/],
    ['list.yml', '- a\n', /has to hold a map/],
    ['two.yml', '# ours\n---\nagent-ttl: 10s\n---\npublic-ip: 10.0.0.1\n', /a second document begins/],
    ['odd.yml', 'listen: { a: b }\n', /give a text/],
    ['odd.conf', 'no sense\n', /not of the form 'key=value'/],
    ['odd2.conf', 'wrong=1\n', /not a key of fleet.conf/],
  ])('say where a file is wrong: %s', (name, text, expected) => {
    expect(problems({ config: file(name, text) })[0]).toMatch(expected)
  })

  it.each([
    ['typo.yml', 'metadataa: { a: b }\n', 'did you mean metadata?'],
    ['typo2.yml', 'data_dir: /x\n', 'did you mean data-dir?'],
    ['typo.conf', 'etcd_server=http://a:1\n', 'did you mean etcd_servers?'],
    ['typo2.conf', 'agent-ttl=30s\n', 'did you mean agent_ttl?'],
    ['yaml.conf', 'metadata: { a: b }\n', 'a file of YAML needs a name that ends in .yml, .yaml or .json'],
  ])('say what a slip in a file was to be: %s', (name, text, hint) => {
    expect(details({ config: file(name, text) })).toMatchObject([
      { code: 'daemon/bad-option', line: 1, hint },
    ])
  })
})
