import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { UnitToRun } from '../../../src/agent/driver.js'
import { readHeld, systemdUnitText } from '../../../src/drivers/systemd/unit-text.js'
import { DriverError } from '../../../src/model/driver-error.js'
import { environmentOf } from '../../../src/unit/environment.js'
import { asUnitName } from '../../../src/unit/name.js'
import { parseUnit } from '../../../src/unit/parse.js'
import { lastOf, valuesOf } from '../../../src/unit/values.js'

const name = asUnitName('default.web.v1@7.service')

function unit(text: string, more: Partial<UnitToRun> = {}): UnitToRun {
  return {
    name,
    hash: 'abcd',
    file: parseUnit(text).file,
    instance: null,
    ports: [],
    environment: {},
    ...more,
  }
}

function written(text: string, more: Partial<UnitToRun> = {}) {
  return parseUnit(systemdUnitText(unit(text, more))).file
}

const web = '[Service]\nType=exec\nExecStart=/bin/web "two words" %i\nRestart=always\nRestartSec=100ms\n'

describe('the file that systemd reads', () => {
  it('is the text of the unit with the hash behind it', () => {
    const plain = { name: asUnitName('web.service') }
    expect(systemdUnitText(unit(web, plain))).toBe(`${web}\n[X-Mariposa-Held]\nHash=abcd\n`)
  })

  it('has an instance of a template run in a slice that was there before', () => {
    expect(valuesOf(written(web), 'Service', 'Slice')).toEqual(['system.slice'])
    expect(valuesOf(written(`${web}Slice=own.slice\n`), 'Service', 'Slice')).toEqual(['own.slice'])
    expect(lastOf(written(`${web}Slice=\n`), 'Service', 'Slice')).toBe('system.slice')
    const socket = written('[Socket]\nListenStream=80\n', { name: asUnitName('web@1.socket') })
    expect(valuesOf(socket, 'Socket', 'Slice')).toEqual(['system.slice'])
    const path = written('[Path]\nPathExists=/etc\n', { name: asUnitName('web@1.path') })
    expect(path.options.filter((option) => option.name === 'Slice')).toEqual([])
  })

  it('names the instance for those who look at it', () => {
    const instance = { project: 'default', service: 'web', name: 'web-7', n: 7, uuid: 'u', version: 'v' }
    expect(systemdUnitText(unit(web, { instance }))).toContain(
      'Project=default\nInstance=web-7\nInstanceUuid=u\n',
    )
  })

  it('sets the variables of the placement after those of the unit', () => {
    const file = written('[Service]\nExecStart=/bin/web\nEnvironment=PORT=1\n', {
      environment: { PORT: '4711' },
    })
    expect(environmentOf(file, 'Service', { name, machine: null }).environment).toEqual({ PORT: '4711' })
  })

  it('limits the memory to what the unit reserves', () => {
    expect(lastOf(written(`${web}[X-Mariposa]\nMemory=256\n`), 'Service', 'MemoryMax')).toBe('256M')
  })

  it('leaves the restarts of a unit as they are that names no policy', () => {
    expect(valuesOf(written(web), 'Service', 'Restart')).toEqual(['always'])
  })

  it.each([
    ['no', 'no', null, null],
    ['always', 'always', '0', null],
    ['unless-stopped', 'always', '0', null],
    ['on-failure', 'on-failure', '0', null],
    ['on-failure:3', 'on-failure', 'infinity', '4'],
  ])('says the policy %s in systemd’s options', (policy, restart, interval, burst) => {
    const file = written(`${web}[X-Mariposa]\nRestart=${policy}\n`)
    expect(lastOf(file, 'Service', 'Restart')).toBe(restart)
    expect(lastOf(file, 'Unit', 'StartLimitIntervalSec')).toBe(interval)
    expect(lastOf(file, 'Unit', 'StartLimitBurst')).toBe(burst)
  })

  it('restarts after any signal on failure, as Docker does', () => {
    const file = written(`${web}[X-Mariposa]\nRestart=on-failure\n`)
    expect(lastOf(file, 'Service', 'RestartForceExitStatus')).toContain('SIGTERM')
    expect(lastOf(file, 'Service', 'RestartPreventExitStatus')).toContain('203')
  })

  it('leaves systemd the longest of Docker’s waits, since the driver sees to the shorter ones', () => {
    const file = written(`${web}[X-Mariposa]\nRestart=always\n`)
    expect(lastOf(file, 'Service', 'RestartSec')).toBe('60s')
  })

  it('adds nothing of a service to a unit of another type', () => {
    const timer = asUnitName('tick.timer')
    const file = parseUnit('[Timer]\nOnBootSec=1\n[X-Mariposa]\nMemory=5\nRestart=always\n').file
    const text = systemdUnitText(unit('', { name: timer, file, environment: { PORT: '1' } }))
    expect(text).not.toContain('[Service]')
    expect(text).not.toContain('[Unit]')
  })
})

describe('what the driver reads back', () => {
  it('is the hash, the type, and how it is restarted', () => {
    const text = systemdUnitText(unit(`${web}[X-Mariposa]\nRestart=on-failure:2\n`))
    expect(readHeld(name, text)).toEqual({
      name,
      hash: 'abcd',
      type: 'exec',
      dockerRestarts: true,
      maxRestarts: 2,
      startedBy: [],
      unheld: [],
    })
    for (const own of [web, `${web}[X-Mariposa]\nRestart=no\n`])
      expect(readHeld(name, systemdUnitText(unit(own)))).toMatchObject({ dockerRestarts: false })
  })

  it('is nothing for a file that the driver did not write', () => {
    expect(readHeld(name, web)).toBeNull()
    expect(readHeld(name, '')).toBeNull()
  })

  it('keeps every value and any variable as it is', () => {
    const value = fc.string({ unit: 'grapheme' }).filter((text) => !/[\0\r\n]/.test(text))
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,9}$/), value),
        fc.stringMatching(/^[0-9a-f]{40}$/),
        (environment, hash) => {
          const text = systemdUnitText(unit(web, { environment, hash }))
          const { file, diagnostics } = parseUnit(text)
          expect(diagnostics).toEqual([])
          expect(lastOf(file, 'Service', 'ExecStart')).toBe('/bin/web "two words" %i')
          expect(environmentOf(file, 'Service', { name, machine: null }).environment).toEqual({
            ...environment,
          })
          expect(readHeld(name, text)?.hash).toBe(hash)
        },
      ),
    )
  })
})

describe('a unit that an older daemon let in', () => {
  it.each(['\u2028A', 'A\u00a0', '\uFEFFA'])(
    'is refused, and no fault of ours, with an option called %j',
    (option) => {
      expect(parseUnit(`[Service]\n${option}=b\n`).diagnostics).toMatchObject([
        { code: 'unit/bad-option-name' },
      ])
      const options = [{ section: 'Service', name: option, value: 'b', line: 1 }]
      expect(() => systemdUnitText(unit('', { file: { options } }))).toThrow(DriverError)
    },
  )
})
