import { describe, expect, it } from 'vitest'
import { checkProcessUnit } from '../../../src/drivers/process/check.js'
import { readService } from '../../../src/drivers/process/read-service.js'
import type { Service } from '../../../src/supervisor/service.js'
import { asUnitName } from '../../../src/unit/name.js'
import { parseUnit } from '../../../src/unit/parse.js'

const name = asUnitName('web@7.service')
const check = (...lines: readonly string[]) => checkProcessUnit(parseUnit(`${lines.join('\n')}\n`).file, name)
const service = (...lines: readonly string[]) => check('[Service]', 'ExecStart=/bin/true', ...lines)
const read = (...lines: readonly string[]): Service => {
  const { file } = parseUnit(['[Service]', 'ExecStart=/bin/true', ...lines, ''].join('\n'))
  const context = { name, machine: { id: 'b'.repeat(32), hostname: 'here' } }
  const reading = readService(file, context)
  expect(reading.diagnostics).toEqual([])
  return reading.service
}

describe('the check of a process unit', () => {
  it('lets everything pass that the driver honours', () => {
    const everything = [
      ...[
        '[Unit]',
        'Description=web',
        'Documentation=man:web(1)',
        'After=network-online.target',
        'Wants=network-online.target',
      ],
      ...[
        'StartLimitIntervalSec=0',
        'StartLimitBurst=3',
        '[Service]',
        'Type=exec',
        'ExecStart=-@/bin/sh sh -c "exit 0"',
      ],
      ...[
        'ExecStartPre=/bin/true',
        'ExecStartPost=:/bin/echo $HOME',
        'ExecStop=/bin/true',
        'ExecStopPost=-/bin/true',
      ],
      ...[
        'RemainAfterExit=no',
        'Environment="A=b c" D=e',
        'EnvironmentFile=-/etc/default/web',
        'PassEnvironment=LANG',
      ],
      ...['WorkingDirectory=-/srv', 'UMask=0027', 'Nice=5', 'Restart=on-failure', 'RestartSec=1s'],
      ...[
        'TimeoutStartSec=1min',
        'TimeoutStopSec=5',
        'KillMode=mixed',
        'KillSignal=SIGINT',
        'SendSIGKILL=yes',
      ],
      ...['SuccessExitStatus=143 SIGUSR1', 'RestartPreventExitStatus=78', 'StandardInput=null'],
      ...['StandardOutput=append:/var/log/web.log', 'StandardError=inherit', 'MemoryMax=1G'],
      ...['[X-Mariposa]', 'Memory=256', 'Restart=on-failure:3', '[X-Fleet]', 'Global=false'],
    ]
    expect(check(...everything)).toEqual([])
  })

  it('refuses limits and groups for a program that is called by another name', () => {
    for (const line of ['LimitNOFILE=64', 'SupplementaryGroups=video', 'TasksMax=20', 'CPUQuota=50%'])
      expect(check('[Service]', 'ExecStart=@/bin/true x', line)).toMatchObject([
        { code: 'process/unsupported-option', line: 2, hint: 'give the whole path of the program' },
      ])
    expect(check('[Service]', 'ExecStart=@/bin/true x')).toEqual([])
  })

  it.each([
    ['Type=forking', 'process/bad-value', /systemd driver/],
    ['Type=notify', 'process/bad-value', /systemd driver/],
    ['KillMode=none', 'process/bad-value', /control-group, mixed or process/],
    ['ExecReload=/bin/true', 'process/unsupported-option', /restart it/],
    ['ExecStartPre=+/bin/true', 'process/bad-value', /User=/],
    ['LimitAS=1024', 'process/unsupported-option', /prlimit/],
    ['LimitNOFILE=2:1', 'process/bad-value', /soft not above hard/],
    ['LimitCORE=-1', 'process/bad-value', /infinity/],
    ['SupplementaryGroups=a,b', 'process/bad-value', /a number up to/],
    ['PrivateTmp=yes', 'process/unsupported-option', /docker/],
    ['WatchdogSec=5', 'process/unsupported-option', /Type=simple/],
    ['StandardOutput=socket', 'process/bad-value', /append/],
    ['Restart=sometimes', 'process/bad-value', /on-failure/],
    ['RestartSec=soon', 'process/bad-value', /5s/],
    ['KillSignal=SIGNONE', 'process/bad-value', /SIGINT/],
    ['SuccessExitStatus=900', 'process/bad-value', /0 to 255/],
    ['User=%x', 'process/bad-value', undefined],
    ['User=4294967296', 'process/bad-value', /a number up to 2147483647/],
    ['User=2147483648', 'process/bad-value', /a number up to 2147483647/],
    ['Group=4294967295', 'process/bad-value', /a number up to 2147483647/],
    ['ExecStart=/bin/false', 'process/bad-value', /oneshot/],
    ['Colour=blue', 'process/unsupported-option', /systemd/],
  ])('refuses %s and says what to do instead', (line, code, hint) => {
    const [problem, ...more] = service(line)
    expect(more).toEqual([])
    expect(problem).toMatchObject({ code, severity: 'error', line: 3 })
    if (hint !== undefined) expect(problem?.hint).toMatch(hint)
  })

  it('refuses the order of other units, which nobody here keeps', () => {
    expect(check('[Unit]', 'After=db.service', '[Service]', 'ExecStart=/bin/true')).toMatchObject([
      { code: 'process/unsupported-option', line: 2, path: '/Unit/After' },
    ])
  })

  it('tells of every problem at once', () => {
    expect(service('Type=dbus', 'IOWeight=20', 'UMask=9').map(({ path }) => path)).toEqual([
      '/Service/Type',
      '/Service/UMask',
      '/Service/IOWeight',
    ])
  })

  it('warns about [Install], which has no effect', () => {
    expect(service('[Install]', 'WantedBy=multi-user.target')).toMatchObject([
      { code: 'process/install-unused', severity: 'warning' },
    ])
  })

  it('refuses a unit without a command, and always with oneshot', () => {
    expect(check('[Service]', 'Type=exec')).toMatchObject([{ code: 'process/no-command' }])
    expect(service('Type=oneshot', 'Restart=always')).toMatchObject([
      { code: 'process/bad-value', path: '/Service/Restart' },
    ])
  })
})

describe('a service as the supervisor runs it', () => {
  it("has systemd's defaults", () => {
    expect(read()).toMatchObject({
      type: 'simple',
      restart: { kind: 'systemd', when: 'no', waitMs: 100 },
      startLimit: { intervalMs: 10_000, burst: 5 },
      timeoutStartMs: 90_000,
      timeoutStopMs: 90_000,
      killMode: 'control-group',
      killSignal: 'SIGTERM',
      umask: 0o022,
    })
    expect(read('Type=oneshot').timeoutStartMs).toBeNull()
  })

  it('fills in specifiers', () => {
    expect(read('Environment=WHO=%p-%i@%H', 'WorkingDirectory=/srv/%i')).toMatchObject({
      environment: { WHO: 'web-7@here' },
      workingDirectory: { path: '/srv/7', optional: false },
    })
  })

  it("takes Docker's rule of [X-Mariposa] in place of Restart=", () => {
    expect(read('Restart=always', '[X-Mariposa]', 'Restart=on-failure:4').restart).toEqual({
      kind: 'docker',
      when: 'on-failure',
      max: 4,
    })
  })

  it('reads limits of time as systemd does: 0 and infinity are none, and the later line wins', () => {
    expect(read('TimeoutStopSec=0').timeoutStopMs).toBeNull()
    expect(read('TimeoutStopSec=infinity').timeoutStopMs).toBeNull()
    expect(read('TimeoutStopSec=5', 'TimeoutSec=7')).toMatchObject({
      timeoutStartMs: 7000,
      timeoutStopMs: 7000,
    })
    expect(read('TimeoutSec=7', 'TimeoutStopSec=5')).toMatchObject({
      timeoutStartMs: 7000,
      timeoutStopMs: 5000,
    })
  })

  it('sends errors where the output goes unless told otherwise', () => {
    expect(read('StandardOutput=null').output).toEqual({ stdout: { kind: 'null' }, stderr: { kind: 'null' } })
    expect(read('StandardOutput=null', 'StandardError=journal').output.stderr).toEqual({ kind: 'log' })
  })

  it('limits memory to what [X-Mariposa] says, else to MemoryMax=', () => {
    expect(read('MemoryMax=1G').memoryBytes).toBe(1024 ** 3)
    expect(read('MemoryMax=1G', '[X-Mariposa]', 'Memory=64').memoryBytes).toBe(64 * 1024 ** 2)
  })

  it('limits cores and processes as systemd says it', () => {
    expect(read('CPUQuota=150%', 'TasksMax=20')).toMatchObject({ cpuPercent: 150, tasks: 20 })
    expect(read('TasksMax=infinity').tasks).toBeUndefined()
    for (const line of ['CPUQuota=0%', 'CPUQuota=2', 'TasksMax=0', 'TasksMax=10%'])
      expect(service(line)).toMatchObject([{ code: 'process/bad-value' }])
  })
})
