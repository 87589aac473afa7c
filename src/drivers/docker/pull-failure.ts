// Why an image was not fetched, and what can be done about it, in one sentence: Docker's own says the name of the image
// and the registry's word once more, and the registry says its word twice.
import type { UnitFailure } from '../../model/unit.js'
import { registryOf } from './credentials.js'
import { diskFull } from './failure.js'

/** What became of a pull, from Docker's sentence: what the registry answered, or why it could not be asked. */
export function pullFailure(image: string, said: string): UnitFailure {
  const words = withoutNames(said, image)
  const cause = causes.find(({ says }) => says.test(words))
  const { code = 'docker/image-missing', permanent = false } = cause ?? {}
  const host = hostOf(image)
  const about: About = { said: briefly(words), host: host ?? 'docker.io', image }
  const why = cause?.why(about) ?? about.said
  const advice = cause?.advice?.(about) ?? null
  const where = host === null ? 'docker.io' : 'its registry'
  const message = `${image} cannot be fetched from ${where}: ${why}${advice === null ? '' : `; ${advice}`}`
  return { code, permanent, message }
}

/** Whether the registry said that it has too much to do just now, or that we ask too often. */
export function isOverloaded(said: string): boolean {
  return overloaded.test(said)
}

interface About {
  /** What Docker said, without names and repetitions. */
  readonly said: string
  /** Of the registry, as `docker login` takes it. */
  readonly host: string
  readonly image: string
}

interface Cause {
  readonly says: RegExp
  readonly code?: string
  /** Trying again without a change is of no use. */
  readonly permanent?: true
  readonly why: (about: About) => string
  readonly advice?: (about: About) => string | null
}

const overloaded = /too ?many ?requests|HTTP status:? (?:429|503)\b|\b429\b|service unavailable/i

const login = ({ host }: About): string =>
  `run docker login${host === 'docker.io' ? '' : ` ${host}`} on this machine as the user of the daemon`

/** Sentences of dockerd 20.10 and later, with its own image store and with containerd's; the first that fits decides. */
const causes: readonly Cause[] = [
  {
    says: diskFull,
    code: 'docker/disk-full',
    why: () => 'no space is left on the disk of Docker',
    advice: () => 'free some space there: docker system df shows what uses it',
  },
  {
    says: overloaded,
    why: ({ said }) => `it refuses for now (${said})`,
    advice: (about) =>
      about.host === 'docker.io' ? `${login(about)}: it allows more pulls after a login` : null,
  },
  {
    says: /x509|certificate/i,
    why: ({ said }) => `its certificate is not trusted (${said})`,
    advice: ({ host }) => `put that of its authority into /etc/docker/certs.d/${host}/ca.crt`,
  },
  {
    says: /server gave HTTP response to HTTPS client/i,
    why: () => 'it speaks HTTP without TLS',
    advice: ({ host }) =>
      `give it a certificate, or list ${host} as insecure-registries in Docker’s daemon.json`,
  },
  {
    says: /no such host|server misbehaving|\blookup /i,
    why: ({ said }) => `its name cannot be resolved (${said})`,
    advice: () => 'check the name, and DNS on this machine',
  },
  {
    says: /timeout|timed out|deadline exceeded|request canceled/i,
    why: ({ said }) => `it did not answer in time (${said})`,
    advice: () => 'check the network of this machine',
  },
  {
    says: /dial tcp|connection refused|no route to host|network is unreachable|TLS handshake/i,
    why: ({ said }) => `it cannot be reached (${said})`,
    advice: () => 'check that it runs, and the network of this machine',
  },
  {
    says: /connection reset|broken pipe|EOF/,
    why: ({ said }) => `the connection broke (${said})`,
  },
  {
    says: /HTTP status:? 5\d\d/i,
    why: ({ said }) => `it has a fault of its own (${said})`,
  },
  {
    says: /no matching manifest|no match for platform/i,
    permanent: true,
    why: ({ said }) => {
      const platform = /no matching manifest for (\S+)/i.exec(said)?.[1]
      return `it has no build for ${platform ?? 'the platform of this machine'}`
    },
    advice: () => 'build one, or let it run on other machines',
  },
  {
    says: /pull access denied|insufficient_scope/i,
    permanent: true,
    why: () => 'it has no such repository, or shows it only after a login',
    advice: (about) => `check the name, or ${login(about)}`,
  },
  {
    says: /unauthorized|no basic auth credentials|authentication required|incorrect username/i,
    permanent: true,
    why: ({ said }) => `it asks for a login (${said})`,
    advice: login,
  },
  {
    says: /denied/i,
    permanent: true,
    why: ({ said }) => `it denies access (${said})`,
    advice: login,
  },
  {
    says: /repository name not known|name unknown/i,
    permanent: true,
    why: () => 'it has no such repository',
    advice: () => 'check the name, or push it',
  },
  {
    says: /not found|manifest unknown|does not exist|no such image/i,
    permanent: true,
    why: ({ image }) => `it has no such ${image.includes('@') ? 'digest' : 'tag'}`,
    advice: () => 'check the name, or push it',
  },
  {
    says: /invalid reference format/i,
    permanent: true,
    why: () => 'that is not an image name',
    advice: () => 'correct it in the manifest',
  },
]

/** Null for Docker's own hub, which no name has to say. */
function hostOf(image: string): string | null {
  const host = registryOf(image)
  return host.startsWith('https://') ? null : host
}

/** A name may hold any word; what is told of it is told by us. */
function withoutNames(said: string, image: string): string {
  const [plain = image] = image.split('@')
  return [image, plain].reduce((words, name) => words.replaceAll(name, ''), said)
}

/** Without what was asked for and by whom, and each part once. */
function briefly(said: string): string {
  const words = said
    .replace(/\b(?:Get|Head) "?https?:\/\/[^\s"]*"?:\s*/gi, '')
    .replace(/\bfailed to (?:resolve reference|do request|copy)(?: "[^"]*")?:\s*/gi, '')
    .replace(/\s+/g, ' ')
    .trim()
  return [...new Set(words.split(/: /))].join(': ')
}
