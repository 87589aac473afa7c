import { Option } from 'commander'
import { withChoices } from '../cli/choices.js'
import { daemonConfigProperties, type SettingName } from '../model/daemon-config.js'

/** The daemon's options on the command line; `options.ts` reads their values. */
export function daemonFlags(): readonly Option[] {
  return [
    flag('data-dir', '<dir>'),
    ...storeFlags('--store <store>'),
    flag('discard'),
    flag('listen', '<address>').argParser(append),
    flag('insecure-listen', '[address]').argParser(append),
    flag('tls-cert-file', '<file>'),
    flag('tls-key-file', '<file>'),
    flag('tls-ca-file', '<file>'),
    flag('token-file', '<file>'),
    flag('trigger-listen', '<address>').argParser(append),
    flag('advertise', '<url>'),
    flag('metadata', '<pairs>'),
    flag('public-ip', '<ip>'),
    flag('agent-ttl', '<duration>'),
    flag('away-grace', '<duration>'),
    flag('on-stop', '<keep|drain|purge>'),
    flag('on-stop-timeout', '<duration>'),
    flag('no-engine'),
    flag('no-agent'),
    flag('driver', '<kind>').argParser(append),
    flag('secret-key-file', '<file>'),
    flag('keep-events', '<duration>'),
    flag('keep-logs', '<limits>'),
    flag('keep-versions', '<number>'),
    flag('forget-after', '<duration>'),
    flag('container-log-max-size', '<size>'),
    flag('container-log-max-files', '<number>'),
    flag('keep-images', '<limits>'),
    flag('cns-suffix-public', '<domain>'),
    flag('cns-suffix-private', '<domain>'),
    flag('dns', '<address>').argParser(append),
    flag('dns-upstream', '<address>').argParser(append),
    flag('dns-allow', '<network>').argParser(append),
    flag('entry', '[metadata]'),
    flag('entry-http', '<address>'),
    flag('entry-https', '<address>'),
    flag('smtp', '<url>'),
    flag('smtp-from', '<address>'),
    flag('smtp-user', '<name>'),
    flag('smtp-password-file', '<file>'),
    flag('smtp-ca-file', '<file>'),
    flag('packages', '<file>'),
    flag('policy', '<file>'),
    flag('log-format', '<text|json>'),
    flag('log-level', '<levels>'),
    configFlag(),
  ]
}

/** The options of `store migrate`, which moves the store of a data directory to another store. */
export function migrateFlags(): readonly Option[] {
  return [flag('data-dir', '<dir>'), ...storeFlags('--to, --store <store>'), configFlag()]
}

function storeFlags(store: string): readonly Option[] {
  return [
    new Option(store, daemonConfigProperties.store.description),
    flag('etcd-prefix', '<path>'),
    flag('etcd-ca-file', '<file>'),
    flag('etcd-cert-file', '<file>'),
    flag('etcd-key-file', '<file>'),
    flag('etcd-user', '<name>'),
    flag('etcd-password-file', '<file>'),
    flag('etcd-request-timeout', '<duration>'),
  ]
}

function configFlag(): Option {
  return new Option('--config <file>', 'read options from a file: YAML with these names, or a fleet.conf')
}

function flag(name: SettingName, value = ''): Option {
  const property = daemonConfigProperties[name]
  const option = new Option(`--${name} ${value}`.trim(), property.description)
  return value === '' ? option : withChoices(option, wordsOf(property))
}

/** The values that the schema of an option allows, for a repeated option those of each. */
function wordsOf(schema: object): readonly string[] {
  if ('enum' in schema) return schema.enum as readonly string[]
  const lists = 'anyOf' in schema ? (schema.anyOf as readonly object[]) : []
  return lists.flatMap((one) => ('items' in one ? wordsOf(one.items as object) : []))
}

function append(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
