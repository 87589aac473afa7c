import { describe, expect, test } from 'vitest'
import { containerSpec } from '../../../src/drivers/docker/container.js'
import { placeOfStep, readInitMark, stepsAmong } from '../../../src/drivers/docker/init-steps.js'
import { sideLabel } from '../../../src/drivers/docker/labels.js'
import { type MainContainer, sideRequest } from '../../../src/drivers/docker/side-containers.js'
import type { UnitName } from '../../../src/model/unit.js'
import { parseUnit } from '../../../src/unit/parse.js'

const specOf = (...lines: readonly string[]) => {
  const name = 'web.service' as UnitName
  const { file } = parseUnit(['[Container]', 'Image=web', ...lines].join('\n'), name)
  const unit = { name, hash: 'h', file, instance: null, ports: [], environment: {} }
  return containerSpec(unit, { id: 'm', hostname: 'host' })
}

describe('the steps of a container', () => {
  test.each([
    [
      ['ExecStartPre=./prepare "a b"', 'ExecStartPre=x $$HOME'],
      [
        ['./prepare', 'a b'],
        ['x', '$HOME'],
      ],
      90_000,
    ],
    [['ExecStartPre=x', 'TimeoutStartSec=5min'], [['x']], 300_000],
    [['ExecStartPre=x', 'TimeoutStartSec=infinity'], [['x']], null],
  ])('%j are kept by its labels', (lines, steps, timeoutMs) => {
    expect(readInitMark(specOf(...lines).spec?.request.Labels ?? {})).toEqual({ steps, timeoutMs })
  })

  test('are none where its unit says none', () => {
    expect(readInitMark(specOf().spec?.request.Labels ?? {})).toBeNull()
  })

  test.each(['ExecStartPre=""', 'TimeoutStartSec=soon', 'ExecStartPre=x $HOME'])('%s is refused', (line) => {
    const { spec, diagnostics } = specOf('ExecStartPre=y', line)
    expect(spec).toBeNull()
    expect(diagnostics).toMatchObject([{ code: 'docker/bad-value' }])
  })

  test('are found among other containers beside it, in the order in which they run', () => {
    const side = (place: string) => ({ Id: place, Labels: { [sideLabel]: place } })
    const steps = Array.from({ length: 11 }, (_, index) => side(placeOfStep(index)))
    expect(stepsAmong([side('run'), ...steps.toReversed()])).toEqual(steps)
  })
})

describe('a container beside another', () => {
  const main: MainContainer = {
    Id: '0123456789abcdef',
    Name: '/shop.web-1',
    Image: 'sha256:abc',
    Config: {
      Labels: {
        'io.mariposa.unit': 'web.service',
        'io.mariposa.machine': 'm',
        'io.mariposa.hash': 'h',
        mine: 'x',
      },
      Env: ['A=b'],
      Image: 'web:latest',
      Hostname: '0123456789ab',
      ExposedPorts: { '80/tcp': {} },
    },
    HostConfig: {
      Memory: 1,
      Binds: ['data:/data'],
      Mounts: [],
      PortBindings: { '80/tcp': [] },
      RestartPolicy: { Name: 'always', MaximumRetryCount: 0 },
    },
  }

  test('has what that has, and neither ports nor restarts nor what would make it that of a unit', () => {
    expect(sideRequest(main, { place: 'init-1', argv: ['x', 'y'] })).toEqual({
      name: 'shop.web-1.init-1',
      Image: 'sha256:abc',
      Env: ['A=b'],
      Entrypoint: ['x', 'y'],
      Cmd: [],
      Healthcheck: { Test: ['NONE'] },
      Labels: {
        'io.mariposa.unit': 'web.service',
        'io.mariposa.machine': 'm',
        'io.mariposa.of': main.Id,
        'io.mariposa.side': 'init-1',
      },
      HostConfig: {
        Memory: 1,
        RestartPolicy: { Name: 'no', MaximumRetryCount: 0 },
        VolumesFrom: [main.Id],
      },
    })
  })

  test('has its host name where its unit says one and a container may have one', () => {
    const named = { ...main, Config: { ...main.Config, Hostname: 'db' } }
    expect(sideRequest(named, { place: 'run', argv: ['x'] })).toMatchObject({ Hostname: 'db' })
    const onHost = { ...named, HostConfig: { ...main.HostConfig, NetworkMode: 'host' } }
    expect(sideRequest(onHost, { place: 'run', argv: ['x'] })).not.toHaveProperty('Hostname')
  })
})
