import { describe, expect, it } from 'vitest'
import { checkSystemdUnit } from '../../../src/drivers/systemd/check-unit.js'
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
    ['[Service]\nExecStart=/bin/a\n[Install]\nWantedBy=a.target b\n', 'web.service', 'systemd/bad-install'],
    ['[Service]\nExecStart=/bin/a\n[Install]\nRequiredBy=%m.target\n', 'web.service', 'systemd/bad-install'],
    ['[Unit]\nDescription=x\n', 'web.device', 'systemd/unsupported-type'],
  ])('is refused: %s', (text, name, code) => {
    expect(codes(text, name)).toEqual([code])
  })

  it('warns of what in [Install] acts on other units', () => {
    const text =
      '[Service]\nExecStart=/bin/a\n[Install]\nWantedBy=multi-user.target\nAlias=b.service\nAlso=c.socket\n'
    const problems = checkSystemdUnit(parseUnit(text).file, asUnitName('web.service'))
    expect(problems.map(({ code, severity, line }) => [code, severity, line])).toEqual([
      ['systemd/install-unused', 'warning', 5],
      ['systemd/install-unused', 'warning', 6],
    ])
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
