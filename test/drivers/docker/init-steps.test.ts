import { describe, expect, test } from 'vitest'
import { containerSpec } from '../../../src/drivers/docker/container.js'
import {
  argvOf,
  describeStep,
  type InitPlan,
  imageOfStep,
  leftOf,
  placeOfStep,
  readInitMark,
  stepsAmong,
} from '../../../src/drivers/docker/init-steps.js'
import { sideLabel } from '../../../src/drivers/docker/labels.js'
import { type MainContainer, sideRequest, withoutImage } from '../../../src/drivers/docker/side-containers.js'
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

  test.each([
    [90_000, 0, 90_000],
    [90_000, 30_000, 60_000],
    [90_000, 120_000, 0],
    [90_000, -3_600_000, 90_000],
  ])('that may take %i ms and run for %i have %i left', (timeoutMs, ageMs, leftMs) => {
    expect(leftOf(timeoutMs, ageMs)).toBe(leftMs)
  })

  test('with images of their own have a form that a daemon of before cannot run', () => {
    const lines = ['ExecStartPre=a', 'ExecStartPre=b c', 'InitImage=2 r.example/b:1', 'Pull=never']
    const plan = readInitMark(specOf(...lines).spec?.request.Labels ?? {})
    const second = { argv: ['b', 'c'], image: 'r.example/b:1' }
    expect(plan).toEqual({ steps: [['a'], second], timeoutMs: 90_000, pull: 'never' })
    expect(plan?.steps.map((step) => [argvOf(step), imageOfStep(step)])).toEqual([
      [['a'], null],
      [['b', 'c'], 'r.example/b:1'],
    ])
    expect(describeStep(plan as InitPlan, 1)).toBe('init step 2 of 2 (b)')
  })

  test.each([
    'InitImage=2 app:1',
    'InitImage=0 app:1',
    'InitImage=app:1',
    'InitImage=1 UPPER',
    'InitImage=1',
  ])('%s is refused where there is one step', (line) => {
    const { spec, diagnostics } = specOf('ExecStartPre=y', line)
    expect(spec).toBeNull()
    expect(diagnostics).toMatchObject([{ code: 'docker/bad-value' }])
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

  test('of another image has nothing of what only the image of the first says', () => {
    const Config = {
      ...main.Config,
      Env: ['PATH=/app/bin', 'WORD=hello'],
      User: '1000',
      WorkingDir: '/app',
      StopSignal: 'SIGINT',
    }
    const image = { Env: ['PATH=/app/bin'], User: 'app', WorkingDir: '/app', StopSignal: 'SIGINT' }
    const own = { place: 'init-1', argv: ['x'], image: 'r.example/b:1' }
    const request = sideRequest(withoutImage({ ...main, Config }, image), own) as Record<string, unknown>
    expect(request).toMatchObject({ Image: 'r.example/b:1', Env: ['WORD=hello'], User: '1000' })
    expect([request['WorkingDir'], request['StopSignal']]).toEqual([undefined, undefined])
  })
})
