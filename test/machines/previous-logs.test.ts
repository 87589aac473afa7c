// What instances wrote, once they are gone: as containers, whose log goes with them, and under systemd, whose journal stays.

import { join } from 'node:path'
import { inject, test } from 'vitest'
import { builtProgram } from '../cli/program.js'
import { hostsOf } from '../e2e/host.js'
import { keepsWhatWasWritten } from '../e2e/previous-logs.js'
import { testImage } from './docker-host.js'
import { onDocker } from './docker-place.js'
import { hostsOnSystemd } from './systemd-place.js'

const openDockerHost = hostsOf(
  builtProgram(join(import.meta.dirname, '../../dist/mariposa.js')),
  onDocker('previous-logs', () => inject('dockerSocket')),
)
const openSystemdHost = hostsOnSystemd()

test('of containers it can be read once they are removed', async () => {
  await keepsWhatWasWritten(openDockerHost(), `image: ${testImage}`)
})

test('under systemd it can be read once they are removed', async () => {
  await keepsWhatWasWritten(openSystemdHost(), 'compute_type: process')
})
