import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freshMemory, reportOf } from '../../../src/agent/report.js'
import type { ImageConfig } from '../../../src/drivers/docker/api.js'
import { completed, dependsOnImage } from '../../../src/drivers/docker/complete.js'
import { type ContainerSpec, containerSpec } from '../../../src/drivers/docker/container.js'
import { checkMark, checkOfImage, readCheckMark } from '../../../src/drivers/docker/image-check.js'
import type { CommandCheck } from '../../../src/model/health-check.js'
import type { MachineId } from '../../../src/model/machine.js'
import type { ObservedUnit } from '../../../src/model/unit.js'
import { asUnitName } from '../../../src/unit/name.js'
import { parseUnit } from '../../../src/unit/parse.js'

const name = asUnitName('web.service')

describe('the check of an image', () => {
  it('is a command with the times that the image says, or that Docker takes', () => {
    expect(checkOfImage({ Healthcheck: { Test: ['CMD', 'test', '-f', '/a b'] } })).toEqual({
      ...{ type: 'command', argv: ['test', '-f', '/a b'], user: null },
      ...{ pollMs: 30_000, timeoutMs: 30_000, retries: 3 },
    })
    const times = { Interval: 5e9, Timeout: 1.5e9, StartPeriod: 60e9, StartInterval: 2e9, Retries: 7 }
    expect(checkOfImage({ Healthcheck: { Test: ['CMD-SHELL', 'curl $HOST || exit 1'], ...times } })).toEqual({
      ...{ type: 'command', argv: ['/bin/sh', '-c', 'curl $HOST || exit 1'], user: null },
      ...{ pollMs: 5000, timeoutMs: 1500, retries: 7, startPeriodMs: 60_000, startIntervalMs: 2000 },
    })
  })

  it('is run by the shell that the image names', () => {
    const image = {
      Healthcheck: { Test: ['CMD-SHELL', 'true'] },
      Shell: ['/bin/bash', '-o', 'pipefail', '-c'],
    }
    expect(checkOfImage(image)?.argv).toEqual([...image.Shell, 'true'])
  })

  it.each([
    [{}],
    [{ Healthcheck: null }],
    [{ Healthcheck: { Test: ['NONE'] } }],
    [{ Healthcheck: { Test: [] } }],
  ])('is none in %j', (image) => {
    expect(checkOfImage(image)).toBeNull()
  })

  it('is read back from its label, whatever it is', () => {
    const ms = fc.integer({ min: 1, max: 10 ** 9 })
    const check: fc.Arbitrary<CommandCheck> = fc
      .record(
        {
          type: fc.constant('command' as const),
          argv: fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }),
          user: fc.constant(null),
          pollMs: ms,
          timeoutMs: ms,
          retries: fc.integer({ min: 1, max: 10 ** 6 }),
          startPeriodMs: ms,
          startIntervalMs: ms,
        },
        { requiredKeys: ['type', 'argv', 'user', 'pollMs', 'timeoutMs', 'retries'] },
      )
      .filter(({ argv }) => !argv.join('').includes('\0'))
    fc.assert(
      fc.property(check, (given) => {
        expect(readCheckMark(checkMark(given), name)).toEqual(given)
      }),
    )
    expect(readCheckMark(checkMark(null), name)).toBeNull()
    expect(readCheckMark(null, name)).toBeNull()
  })

  it('makes an instance one that has to be healthy', () => {
    const observed = { name, driver: 'docker', restarts: 0, exit: null, failure: null } as ObservedUnit
    const machine = 'm' as MachineId
    const imageCheck = checkOfImage({ Healthcheck: { Test: ['CMD', 'true'] } }) as CommandCheck
    expect(reportOf(machine, observed, freshMemory)).not.toHaveProperty('checked')
    const report = reportOf(machine, { ...observed, imageCheck }, freshMemory)
    expect(report).toMatchObject({ checked: true, health: 'unknown' })
    expect(report).not.toHaveProperty('imageCheck')
  })
})

describe('a container of an image', () => {
  const image: ImageConfig = {
    Entrypoint: ['/entry', 'point'],
    Cmd: ['serve'],
    Healthcheck: { Test: ['CMD', 'ok'] },
  }
  const label = 'io.mariposa.healthcheck'

  it('takes the check of the image from Docker where the unit has none', () => {
    const request = completed(spec(''), image)
    expect(request.Healthcheck).toEqual({ Test: ['NONE'] })
    expect(request.Labels[label]).toBe('type=command poll=30s timeout=30s retries=3 -- ok')
    expect(completed(spec(''), {})).not.toHaveProperty('Healthcheck')
  })

  it.each([
    ['a check of its own', '[X-Mariposa]\nHealthCheck=type=http port=80\n'],
    ['the word for none', 'HealthCmd=none\n'],
  ])('has no check of the image where its unit has %s', (_, more) => {
    const request = completed(spec(more), image)
    expect(dependsOnImage(spec(more))).toBe(false)
    expect(request.Healthcheck).toEqual({ Test: ['NONE'] })
    // An image may be made of a container of ours, and have its labels.
    expect(request.Labels[label]).toBe('')
  })

  it('is asked beside ContainerPilot', () => {
    const more = '[X-Mariposa]\nHealthCheck=type=containerpilot port=9090\n'
    expect(completed(spec(more), image).Labels[label]).toContain('-- ok')
  })

  it('loses the entrypoint of the image, and keeps its command', () => {
    const { Entrypoint, Cmd } = completed(spec('Entrypoint=\n'), image)
    expect([Entrypoint, Cmd]).toEqual([[], undefined])
  })

  it('loses the command of the image, and keeps its entrypoint', () => {
    const { Entrypoint, Cmd } = completed(spec('HealthCmd=none\nExec=\n'), image)
    expect([Entrypoint, Cmd]).toEqual([['/entry', 'point'], []])
    expect(dependsOnImage(spec('HealthCmd=none\nExec=\n'))).toBe(true)
  })

  it('has nothing to run where both are cleared, which Docker refuses', () => {
    expect(completed(spec('Entrypoint=\nExec=\n'), image)).toMatchObject({ Entrypoint: [''], Cmd: [] })
    expect(completed(spec('Exec=\n'), {})).toMatchObject({ Entrypoint: [''], Cmd: [] })
  })

  it('has an empty word where it was given one', () => {
    expect(completed(spec('Exec=""\n'), image)).toMatchObject({ Cmd: [''] })
    expect(completed(spec('Exec=""\n'), image)).not.toHaveProperty('Entrypoint')
  })
})

function spec(more: string): ContainerSpec {
  const { file } = parseUnit(`[Container]\nImage=web\n${more}`)
  const unit = { name, hash: 'h', file, instance: null, ports: [], environment: {} }
  const read = containerSpec(unit, { id: 'f'.repeat(32), hostname: 'host' })
  if (read.spec === null) throw new Error(JSON.stringify(read.diagnostics))
  return read.spec
}
