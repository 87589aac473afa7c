import { describe, expect, it } from 'vitest'
import { checkSystemdUnit } from '../../../src/agent/systemd/check-unit.js'
import { asUnitName } from '../../../src/unit/name.js'
import { parseUnit } from '../../../src/unit/parse.js'

function codes(text: string, name = 'web.service'): readonly string[] {
  return checkSystemdUnit(parseUnit(text).file, asUnitName(name)).map(({ code }) => code)
}

describe('a unit judged for systemd', () => {
  it('passes with any option that systemd knows, and with sections that are not for systemd', () => {
    const text =
      '[Unit]\nAfter=x.service\n[Service]\nExecStart=/bin/a "b c"\nProtectHome=yes\n[Install]\n[X-Fleet]\nGlobal=true\n'
    expect(codes(text)).toEqual([])
  })

  it.each([
    ['[Service]\nType=exec\n', 'web.service', 'systemd/no-program'],
    ['[Service]\nExecStart=/bin/a "b\n', 'web.service', 'systemd/bad-words'],
    ['[Service]\nExecStart=/bin/a\nEnvironment="A=b\n', 'web.service', 'systemd/bad-words'],
    ['[Container]\nImage=x\n', 'web.service', 'systemd/container'],
    ['[Servcie]\nExecStart=/bin/a\n[Service]\nExecStart=/bin/a\n', 'web.service', 'systemd/unknown-section'],
    ['[Timer]\nOnBootSec=1\n[Service]\nExecStart=/bin/a\n', 'web.timer', 'systemd/unknown-section'],
    ['[Service]\nExecStart=/bin/a\n[X-Mariposa-Held]\nHash=1\n', 'web.service', 'systemd/reserved-section'],
    ['[Unit]\nDescription=x\n', 'web.device', 'systemd/unsupported-type'],
  ])('is refused: %s', (text, name, code) => {
    expect(codes(text, name)).toEqual([code])
  })

  it('says where the problem is', () => {
    const [problem] = checkSystemdUnit(
      parseUnit('[Service]\nExecStart=/bin/a "b\n').file,
      asUnitName('web.service'),
    )
    expect(problem).toMatchObject({ line: 2, path: '/Service/ExecStart', severity: 'error' })
  })

  it('takes a service that only ends the machine, or only stops something', () => {
    expect(codes('[Unit]\nSuccessAction=reboot\n[Service]\nType=oneshot\n')).toEqual([])
    expect(codes('[Service]\nExecStop=/bin/a\nRemainAfterExit=yes\n')).toEqual([])
  })
})
