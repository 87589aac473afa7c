import { Option } from 'commander'
import { driverKinds } from '../model/driver-kind.js'

/** The daemon's options on the command line; `options.ts` says what they mean. */
export function daemonFlags(): readonly Option[] {
  return [
    new Option(
      '--data-dir <dir>',
      'where everything is kept (root: /var/lib/mariposa, else ~/.local/share/mariposa)',
    ),
    new Option('--store <store>', 'where the cluster is kept: embedded'),
    new Option(
      '--listen <address>',
      'unix:PATH or tcp://HOST:PORT on the loopback; may be repeated',
    ).argParser(append),
    new Option('--metadata <pairs>', 'what units may ask of this machine: region=north,disk=ssd'),
    new Option('--public-ip <ip>', 'address to announce; default: found out'),
    new Option('--agent-ttl <duration>', 'after how long without a sign the machine is lost; default 30s'),
    new Option('--no-engine', 'never decide where units run'),
    new Option('--no-agent', 'run no units on this machine'),
    new Option(
      '--driver <kind>',
      `use only this driver (${driverKinds.join(', ')}); may be repeated`,
    ).argParser(append),
    new Option(
      '--secret-key-file <file>',
      'key of the secrets in meta; default: secret.key in the data directory',
    ),
    new Option('--cns-suffix-public <domain>', 'what public names end in; default mariposa.internal'),
    new Option('--cns-suffix-private <domain>', 'what other names end in; default cns.mariposa.internal'),
    new Option('--config <file>', 'read options from a file: YAML with these names, or a fleet.conf'),
  ]
}

function append(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
