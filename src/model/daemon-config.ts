// The daemon's options by name: what each is, as JSON Schema. Their names in a configuration file, on the command line
// and in the environment come from here, as do their help and the published schema.
import { driverKinds } from './driver-kind.js'

const list = (items: object) => ({ anyOf: [{ type: 'string' }, { type: 'array', items }] })
const text = { type: 'string' }
const duration = { type: ['number', 'string'] }
const flag = { anyOf: [{ type: 'boolean' }, { enum: ['true', 'false'] }] }

/** As the keys and values of metadata stand in a configuration file. */
const metadataMap = { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } }

const texts = { type: 'array', items: { type: 'string', minLength: 1 } }

/** What a policy is about; a key that is left out lets everything be, but what leads out of a container. */
const policyProperties = {
  drivers: { type: 'array', items: { enum: driverKinds }, description: 'drivers that units may run under' },
  root: { type: 'boolean', default: true, description: 'whether programs may run as root' },
  'host-paths': {
    ...texts,
    description: 'paths of the host that volumes may be made of, with all below them; [] for none',
    examples: [['/srv']],
  },
  'host-network': {
    type: 'boolean',
    default: true,
    description: 'whether containers may share the network of the host, or of another container',
  },
  capabilities: {
    ...texts,
    description:
      "capabilities that may be added; [] for none, [ALL] for any; default: in containers those of Docker's default",
    examples: [['NET_BIND_SERVICE']],
  },
  devices: {
    ...texts,
    description:
      'devices that containers may be given, with all below them, and gpus; [/dev] for any; default: none',
  },
  privileged: {
    type: 'boolean',
    default: false,
    description: 'whether containers may be privileged',
  },
  sysctls: {
    ...texts,
    description: 'kernel parameters that containers may set, with all below them; [] for none',
    examples: [['net.core', 'net.ipv4']],
  },
  images: {
    ...texts,
    description: 'what the names of images begin with',
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
    description:
      'store of the records of the cluster: embedded, or etcd://HOST:PORT,…, or etcds://… with TLS',
    default: 'embedded',
    examples: ['etcd://10.0.0.1:2379,10.0.0.2:2379'],
  },
  discard: {
    ...flag,
    description:
      'join the store though the data directory has an embedded one with records: those are left behind',
    default: false,
  },
  listen: {
    ...list({ type: 'string', pattern: '^(unix:|tcp://)' }),
    description:
      'unix:PATH or tcp://HOST:PORT; may be repeated. TCP asks for a token; beyond the loopback it needs TLS',
    examples: [['unix:/run/mariposa.sock', 'tcp://127.0.0.1:7400']],
  },
  'insecure-listen': {
    anyOf: [...flag.anyOf, ...list({ type: 'string', pattern: '^tcp://' }).anyOf],
    description:
      'tcp://HOST:PORT on which everybody may do everything, without TLS and without a token; may be repeated; alone: those of --listen',
    default: false,
    examples: [true, 'tcp://127.0.0.1:49153'],
  },
  'tls-cert-file': { ...text, description: 'certificate of the TCP addresses, PEM' },
  'tls-key-file': { ...text, description: 'its key, PEM' },
  'tls-ca-file': {
    ...text,
    description: 'authority whose certificates are let in on TCP, and that other daemons are known by, PEM',
  },
  'token-file': {
    ...text,
    description:
      'who is let in on TCP: lines "read TOKEN" or "write TOKEN"; default: a token that is made at the first start',
  },
  'trigger-listen': {
    ...list({ type: 'string', pattern: '^(unix:|tcp://)' }),
    description:
      'unix:PATH or tcp://HOST:PORT for trigger URLs, and nothing else; may be repeated; default: none. TCP beyond the loopback needs TLS',
    examples: [['tcp://0.0.0.0:7480']],
  },
  advertise: {
    ...text,
    description: 'where other daemons reach this one; default: the TCP address with TLS, if there is one',
    examples: ['https://10.0.0.1:7443'],
  },
  metadata: {
    anyOf: [text, metadataMap],
    description: 'metadata of this machine, for affinity and units: region=north,disk=ssd',
    examples: [{ region: 'north', disk: 'ssd' }],
  },
  'public-ip': { ...text, description: 'address to announce; default: found out', examples: ['192.0.2.7'] },
  'agent-ttl': {
    ...duration,
    description: 'after how long without a sign the machine is lost; default 30s',
    default: '30s',
  },
  'away-grace': {
    ...duration,
    description:
      'how long the instances here are not started elsewhere after the daemon was stopped on purpose; 0: as long as agent-ttl; default 5m',
    default: '5m',
  },
  'on-stop': {
    enum: ['keep', 'drain', 'purge'],
    description:
      'what happens to the instances here when the daemon is stopped on purpose: keep (it goes on running), drain (it is replaced elsewhere first), purge (it is stopped); default keep',
    default: 'keep',
  },
  'on-stop-timeout': {
    ...duration,
    description: 'how long drain and purge may take; default 1m',
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
    description: 'key of the secrets in meta; default: secret.key in the data directory',
  },
  'keep-events': {
    ...duration,
    description: 'how long the leader keeps the history of changes and events; default 30d',
    default: '30d',
  },
  'keep-logs': {
    ...text,
    description:
      'how long the logs of instances that have left this machine are kept, and how much of them: none, or 7d,1G; default 7d,1G',
    default: '7d,1G',
  },
  'keep-versions': {
    type: 'integer',
    minimum: 1,
    description: 'how many versions of a service are kept; older ones go once nothing runs them; default 50',
    default: 50,
  },
  'forget-after': {
    ...duration,
    description: 'after how long the leader forgets a machine that is down; default 30d',
    default: '30d',
  },
  'container-log-max-size': {
    ...text,
    description:
      'size of a log file of a container, after which Docker begins the next; none: no limit; default 10M',
    default: '10M',
  },
  'container-log-max-files': {
    type: 'integer',
    minimum: 1,
    description: 'how many log files Docker keeps of a container; default 3',
    default: 3,
  },
  'keep-images': {
    ...text,
    description:
      'which images are kept that nothing needs any more: all, none, or limits of age, number and disk use; default 7d,10,85%',
    default: '7d,10,85%',
  },
  'cns-suffix-public': {
    ...text,
    description: 'what public names end in; default mariposa.internal',
    default: 'mariposa.internal',
  },
  'cns-suffix-private': {
    ...text,
    description: 'what other names end in; default cns.mariposa.internal',
    default: 'cns.mariposa.internal',
  },
  dns: {
    ...list({ type: 'string', minLength: 4 }),
    description:
      'ADDRESS:PORT where names of services are answered, over UDP and TCP, or none; may be repeated; default 127.0.0.1:8053',
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
      'network that may ask for names beside this machine and its private networks; may be repeated',
    examples: [['198.51.100.0/24']],
  },
  entry: {
    anyOf: [...flag.anyOf, { type: 'string', pattern: '=' }, metadataMap],
    description:
      'serve the routes that services have under entry, by Caddy, which has to be installed; KEY=VALUE,…: while this machine has that in its metadata',
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
    description: '[ADDRESS]:PORT of the entry for HTTPS, taken where a service needs it; default :443',
    default: ':443',
  },
  smtp: {
    ...text,
    description:
      'mail server for autoscale.notify_email: smtp://HOST:PORT (STARTTLS where it is offered, and always where there is a password, but on the loopback) or smtps://HOST:PORT',
    examples: ['smtps://mail.example:465'],
  },
  'smtp-from': { ...text, description: 'who the mails are from', examples: ['mariposa@shop.example'] },
  'smtp-user': { ...text, description: 'user to log in to the mail server as' },
  'smtp-password-file': { ...text, description: 'file with the password of that user' },
  'smtp-ca-file': { ...text, description: "authority of the mail server's certificate, PEM" },
  packages: {
    ...text,
    description: 'list of packages that manifests may name, YAML or JSON; default: three families that ship',
    examples: ['/etc/mariposa/packages.yml'],
  },
  policy: {
    anyOf: [text, { type: 'object', properties: policyProperties, additionalProperties: false }],
    description: 'what units may do here: a map, or a file with that map, YAML or JSON; default: anything',
    examples: [{ root: false, 'host-paths': ['/srv'], 'host-network': false }],
  },
  'etcd-prefix': {
    ...text,
    description: 'what all keys in etcd begin with; default /mariposa/',
    default: '/mariposa/',
  },
  'etcd-ca-file': { ...text, description: "authority of etcd's certificate, PEM" },
  'etcd-cert-file': { ...text, description: 'certificate to show to etcd, PEM' },
  'etcd-key-file': { ...text, description: 'its key, PEM' },
  'etcd-user': { ...text, description: 'user to log in to etcd as' },
  'etcd-password': { ...text, description: 'the password of that user; better kept in a file' },
  'etcd-password-file': { ...text, description: 'file with the password; or MARIPOSA_ETCD_PASSWORD' },
  'etcd-request-timeout': {
    ...duration,
    description: 'how long an answer of etcd is waited for; default 3s',
    default: '3s',
  },
} as const

/** Every option that may also stand in the environment (`MARIPOSA_DATA_DIR`) or in a configuration file. */
export type SettingName = keyof typeof daemonConfigProperties
