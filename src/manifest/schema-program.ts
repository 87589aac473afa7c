// The program of an instance.
import * as Type from 'typebox'
import { argv, oneOf, pairs } from './schema-words.js'

export const computeType = oneOf(['docker', 'process', 'infrastructure', 'kvm', 'manta'], {
  fixed: true,
  title: 'Compute type',
  expected: 'one of docker, process, infrastructure (or lx, smartmachine), kvm (or vm, hvm), manta',
  description:
    '`docker` runs a container of `image`. `process` runs `command` directly on the host, without an image. `infrastructure` (also `lx`, `smartmachine`) is a container that boots a system, `kvm` (also `vm`, `hvm`) a virtual machine, `manta` a job next to its data; no driver runs these three yet, so their deploy is refused.',
  default: 'docker',
  loose: [{ enum: ['lx', 'smartmachine', 'vm', 'hvm'], description: 'another name of one of them' }],
})

export const image = Type.String({
  minLength: 1,
  maxLength: 512,
  pattern: '^\\S+$',
  expected: 'the name of an image, such as nginx:1.27',
  title: 'Image',
  description:
    'For `docker` an image reference such as `registry.example:5000/team/app:1.2` or `app@sha256:…`; for `infrastructure` and `kvm` the name or uuid of an image. Required for these, refused for `manta` and `process`.',
  examples: ['0x74696d/triton-elasticsearch:0.1.1'],
})

export const pull = oneOf(['missing', 'always', 'never'], {
  title: 'Pull',
  description:
    'When a machine pulls `image` and the images of `init_steps`: `missing` if it does not have the image, `always` each time a container is created, `never` not at all, so that only machines with the image can run the service. The tag of `image` is resolved to a digest at the deploy, so `always` pulls the same image again; the tags of steps are not resolved. Only for `docker`.',
  examples: ['always'],
  loose: [{ enum: ['if_not_present'], description: 'the same as missing' }],
})

export const command = argv(
  'Command',
  'The command: `CMD` of a container, program and arguments of a `process`, the user script of `infrastructure` and `kvm`, the `exec` of a `manta` job. Required for `manta`, and for `process` unless `entrypoint` is given. For `docker`, `[]` or an empty text clears the command of the image.',
  [['nginx', '-g', 'daemon off;']],
  0,
)

export const entrypoint = argv(
  'Entrypoint',
  'The program, which gets `command` as arguments. Only for `docker` and `process`. For `docker`, `[]` or an empty text clears the entrypoint of the image.',
  [['/some/executable.sh']],
  0,
)

export const environment = pairs({
  title: 'Environment',
  description:
    'Environment variables of the program. Values are used exactly as written: `0755`, `1.10` and `no` stay unchanged.',
  examples: [{ CLUSTER_NAME: 'elasticsearch' }],
})

export const user = Type.String({
  minLength: 1,
  pattern: '^[^\\s]+$',
  expected: 'a user name or id, with an optional :group for docker',
  title: 'User',
  description:
    'The user that the program runs as. Default: the user of the image, or the user of the daemon for `process`.',
  examples: ['nobody', '1000:1000'],
  loose: [{ type: 'integer' }],
})

export const workingDir = Type.String({
  pattern: '^/',
  expected: 'an absolute path',
  title: 'Working directory',
  description: 'The directory that the program starts in.',
  examples: ['/srv/web'],
})
