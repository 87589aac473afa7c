// The daemon's options by name, each as JSON Schema. Their names in a configuration file, on the command line
// and in the environment come from here, as do their help and the published schema.
import { driverKinds } from './driver-kind.js'

const list = (items: object) => ({ anyOf: [{ type: 'string' }, { type: 'array', items }] })
const text = { type: 'string' }
const duration = { type: ['number', 'string'] }
const flag = { anyOf: [{ type: 'boolean' }, { enum: ['true', 'false'] }] }

/** Metadata in a configuration file. */
const metadataMap = { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } }

const texts = { type: 'array', items: { type: 'string', minLength: 1 } }

/** The keys of a policy. An absent key allows everything, except for access from a container to its machine. */
const policyProperties = {
  drivers: { type: 'array', items: { enum: driverKinds }, description: 'drivers that units may run under' },
  root: { type: 'boolean', default: true, description: 'whether programs may run as root' },
  'host-paths': {
    ...texts,
    description: 'paths of the host that volumes may use, and all paths below them; [] for none',
    examples: [['/srv']],
  },
  'host-network': {
    type: 'boolean',
    default: true,
    description: 'whether containers may share the network of the host or of another container',
  },
  capabilities: {
    ...texts,
    description:
      "capabilities that units may add; [] for none, [ALL] for any; default: any for programs of the host, those of Docker's default set for containers",
    examples: [['NET_BIND_SERVICE']],
  },
  devices: {
    ...texts,
    description:
      'devices that containers may use, and all below them, and gpus; [/dev] for any; default: none',
  },
  privileged: {
    type: 'boolean',
    default: false,
    description: 'whether containers may be privileged',
  },
  sysctls: {
    ...texts,
    description: 'kernel parameters that containers may set, and all below them; [] for none',
    examples: [['net.core', 'net.ipv4']],
  },
  images: {
    ...texts,
    description: 'allowed prefixes of image names',
    examples: [['registry.example/', 'docker.io/library/']],
  },
} as const

export const policyKeys = Object.keys(policyProperties) as readonly (keyof typeof policyProperties)[]

export const daemonConfigProperties = {
  'data-dir': {
    ...text,
    description: 'data directory (root: /var/lib/mariposa, else ~/.local/share/mariposa)',
    examples: ['/var/lib/mariposa'],
  },
  store: {
    ...text,
    description: 'store of the cluster: embedded, etcd://HOST:PORT,…, or etcds://… with TLS',
    default: 'embedded',
    examples: ['etcd://10.0.0.1:2379,10.0.0.2:2379'],
  },
  discard: {
    ...flag,
    description:
      'join the store even if the data directory has an embedded store with records, which are abandoned then',
    default: false,
  },
  listen: {
    ...list({ type: 'string', pattern: '^(unix:|tcp://)' }),
    description:
      'unix:PATH or tcp://HOST:PORT; may be repeated. TCP requires a token, and TLS on all addresses but the loopback',
    examples: [['unix:/run/mariposa.sock', 'tcp://127.0.0.1:7400']],
  },
  'insecure-listen': {
    anyOf: [...flag.anyOf, ...list({ type: 'string', pattern: '^tcp://' }).anyOf],
    description:
      'tcp://HOST:PORT with full access for everybody, without TLS and without a token; may be repeated; without a value: the TCP addresses of --listen',
    default: false,
    examples: [true, 'tcp://127.0.0.1:49153'],
  },
  'tls-cert-file': { ...text, description: 'certificate of the TCP addresses, PEM' },
  'tls-key-file': { ...text, description: 'private key of that certificate, PEM' },
  'tls-ca-file': {
    ...text,
    description: 'certificate authority of clients on TCP and of other daemons, PEM',
  },
  'token-file': {
    ...text,
    description:
      'tokens for access by TCP: lines "read TOKEN" or "write TOKEN"; default: a token that is generated at the first start',
  },
  'trigger-listen': {
    ...list({ type: 'string', pattern: '^(unix:|tcp://)' }),
    description:
      'unix:PATH or tcp://HOST:PORT that serves only trigger URLs; may be repeated; default: none. TCP requires TLS on all addresses but the loopback',
    examples: [['tcp://0.0.0.0:7480']],
  },
  advertise: {
    ...text,
    description: 'URL for the other daemons; default: the TCP address with TLS, if there is one',
    examples: ['https://10.0.0.1:7443'],
  },
  metadata: {
    anyOf: [text, metadataMap],
    description: 'metadata of this machine, for affinity and units: region=north,disk=ssd',
    examples: [{ region: 'north', disk: 'ssd' }],
  },
  'public-ip': { ...text, description: 'address to announce; default: detected', examples: ['192.0.2.7'] },
  'agent-ttl': {
    ...duration,
    description: 'time without a keep-alive after which the machine is lost; default 30s',
    default: '30s',
  },
  'away-grace': {
    ...duration,
    description:
      'time in which the instances of this machine are not started elsewhere after the daemon was stopped on purpose; 0: the same as agent-ttl; default 5m',
    default: '5m',
  },
  'on-stop': {
    enum: ['keep', 'drain', 'purge'],
    description:
      'instances of this machine when the daemon is stopped on purpose: keep (they go on running), drain (they are replaced elsewhere first), purge (they are stopped); default keep',
    default: 'keep',
  },
  'on-stop-timeout': {
    ...duration,
    description: 'time limit of drain and purge; default 1m',
    default: '1m',
  },
  'no-engine': { ...flag, description: 'never decide where units run', default: false },
  'no-agent': { ...flag, description: 'run no units on this machine', default: false },
  driver: {
    ...list({ enum: driverKinds }),
    description: `use only this driver (${driverKinds.join(', ')}); may be repeated`,
    examples: [['docker', 'systemd']],
  },
  'secret-key-file': {
    ...text,
    description: 'key that encrypts the secrets of the cluster; default: secret.key in the data directory',
  },
  'keep-events': {
    ...duration,
    description: 'time for which the leader keeps the history of changes and events; default 30d',
    default: '30d',
  },
  'keep-logs': {
    ...text,
    description:
      'age and total size up to which this machine keeps the logs of instances that have left it, or none; default 7d,1G',
    default: '7d,1G',
  },
  'keep-versions': {
    type: 'integer',
    minimum: 1,
    description:
      'number of versions of a service that are kept; older ones are removed once no instance runs them; default 50',
    default: 50,
  },
  'forget-after': {
    ...duration,
    description: 'time after which the leader removes a machine that is down; default 30d',
    default: '30d',
  },
  'container-log-max-size': {
    ...text,
    description: 'size at which Docker rotates the log file of a container; none: no limit; default 10M',
    default: '10M',
  },
  'container-log-max-files': {
    type: 'integer',
    minimum: 1,
    description: 'number of log files that Docker keeps per container; default 3',
    default: 3,
  },
  'keep-images': {
    ...text,
    description: 'unused images to keep: all, none, or limits of age, number and disk use; default 7d,10,85%',
    default: '7d,10,85%',
  },
  'cns-suffix-public': {
    ...text,
    description: 'DNS suffix of public names; default mariposa.internal',
    default: 'mariposa.internal',
  },
  'cns-suffix-private': {
    ...text,
    description: 'DNS suffix of other names; default cns.mariposa.internal',
    default: 'cns.mariposa.internal',
  },
  dns: {
    ...list({ type: 'string', minLength: 4 }),
    description:
      'ADDRESS:PORT of the DNS server for names of services, over UDP and TCP, or none; may be repeated; default 127.0.0.1:8053',
    default: '127.0.0.1:8053',
    examples: [['127.0.0.1:8053', '172.17.0.1:53']],
  },
  'dns-upstream': {
    ...list({ type: 'string', minLength: 2 }),
    description: 'resolver for all other names; may be repeated; default: those of /etc/resolv.conf',
    examples: [['10.0.0.53']],
  },
  'dns-allow': {
    ...list({ type: 'string', minLength: 2 }),
    description:
      'network that may query the DNS server, besides this machine and its private networks; may be repeated',
    examples: [['198.51.100.0/24']],
  },
  entry: {
    anyOf: [...flag.anyOf, { type: 'string', pattern: '=' }, metadataMap],
    description:
      'serve the routes that services define under entry, with Caddy, which has to be installed; KEY=VALUE,…: only while this machine has this metadata',
    default: false,
    examples: [{ role: 'edge' }],
  },
  'entry-http': {
    ...text,
    description: '[ADDRESS]:PORT of the entry for HTTP; default :80',
    default: ':80',
    examples: ['10.0.0.5:80'],
  },
  'entry-https': {
    ...text,
    description: '[ADDRESS]:PORT of the entry for HTTPS, opened if a service needs it; default :443',
    default: ':443',
  },
  smtp: {
    ...text,
    description:
      'mail server for autoscale.notify_email: smtp://HOST:PORT (STARTTLS if offered; required with a password, except on the loopback) or smtps://HOST:PORT',
    examples: ['smtps://mail.example:465'],
  },
  'smtp-from': { ...text, description: 'sender of the mails', examples: ['mariposa@shop.example'] },
  'smtp-user': { ...text, description: 'user to log in to the mail server as' },
  'smtp-password-file': { ...text, description: 'file with the password of that user' },
  'smtp-ca-file': { ...text, description: 'certificate authority of the mail server, PEM' },
  packages: {
    ...text,
    description:
      'list of packages that manifests may name, YAML or JSON; default: the three built-in families',
    examples: ['/etc/mariposa/packages.yml'],
  },
  policy: {
    anyOf: [text, { type: 'object', properties: policyProperties, additionalProperties: false }],
    description:
      'rights of units on this machine: a map, or a file with that map, YAML or JSON; default: everything is allowed',
    examples: [{ root: false, 'host-paths': ['/srv'], 'host-network': false }],
  },
  'log-format': {
    enum: ['text', 'json'],
    description: 'format of the log: text, or json with one object per line; default text',
    default: 'text',
  },
  'log-level': {
    ...list({ type: 'string', minLength: 4 }),
    description:
      'lowest level that is logged: debug, info, warn or error, and PART=LEVEL for single parts; default info',
    default: 'info',
    examples: [['warn', 'engine=debug']],
  },
  'etcd-prefix': {
    ...text,
    description: 'prefix of all keys in etcd; default /mariposa/',
    default: '/mariposa/',
  },
  'etcd-ca-file': { ...text, description: 'certificate authority of etcd, PEM' },
  'etcd-cert-file': { ...text, description: 'client certificate for etcd, PEM' },
  'etcd-key-file': { ...text, description: 'private key of that certificate, PEM' },
  'etcd-user': { ...text, description: 'user to log in to etcd as' },
  'etcd-password': { ...text, description: 'password of that user; prefer etcd-password-file' },
  'etcd-password-file': { ...text, description: 'file with the password; or MARIPOSA_ETCD_PASSWORD' },
  'etcd-request-timeout': {
    ...duration,
    description: 'timeout of requests to etcd; default 3s',
    default: '3s',
  },
} as const

/** Every option that may also stand in the environment (`MARIPOSA_DATA_DIR`) or in a configuration file. */
export type SettingName = keyof typeof daemonConfigProperties
