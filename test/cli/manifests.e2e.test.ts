import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { removeDir } from '../remove-dir.js'
import { useProgram } from './program.js'
import { refuse, startDaemon } from './speaking-daemon.js'

const program = useProgram()
const cwd = mkdtempSync(join(tmpdir(), 'mariposa-manifests-'))
afterAll(() => removeDir(cwd))
writeFileSync(
  join(cwd, 'web.yml'),
  'image: nginx:1.27\nenvironment:\n  WHO: "{{ .service.name }} of {{ .project.name }}"\n',
)
writeFileSync(join(cwd, 'job.yml'), 'compute_type: process\ncommand: sleep 60\n')
writeFileSync(join(cwd, 'bad.yml'), 'image: nginx\nresart: always\nports: [eighty]\n')

describe('manifest lint', () => {
  it('names each valid service, without a daemon', async () => {
    const { code, stdout } = await program.run(['manifest', 'lint', 'web.yml', 'job.yml'], { cwd })
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'web.yml: web is valid\njob.yml: job is valid\n' })
  })

  it('reports every problem at its place and exits with 2', async () => {
    const { code, stdout, stderr } = await program.run(['manifest', 'lint', 'bad.yml'], { cwd })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/bad\.yml:2:1 error .*resart/)
    expect(stderr).toMatch(/bad\.yml:3:9 error /)
    expect(stderr).toContain('│ resart: always')
  })

  it('reports them as JSON', async () => {
    const { code, stdout } = await program.run(['manifest', 'lint', 'bad.yml', '--json'], { cwd })
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        code: 'manifest/invalid',
        details: [
          { line: 2, column: 1 },
          { line: 3, column: 9, path: '/ports/0' },
        ],
      },
    })
    expect(
      JSON.parse((await program.run(['manifest', 'lint', 'web.yml', '--json'], { cwd })).stdout),
    ).toEqual([])
  })
})

describe('manifest render', () => {
  it('prints the canonical form with variables filled in', async () => {
    const { stdout } = await program.run(['manifest', 'render', 'web.yml', '--json', '-j', 'shop'], { cwd })
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'web',
      image: 'nginx:1.27',
      environment: { WHO: 'web of shop' },
    })
  })

  it('prints YAML that reads back as the same manifest', async () => {
    const first = await program.run(['manifest', 'render', 'web.yml', 'job.yml'], { cwd })
    const second = await program.run(['manifest', 'render', '-'], { cwd, stdin: first.stdout })
    expect(second).toEqual(first)
  })
})

describe('manifest compile', () => {
  it('prints the template units below their names', async () => {
    const { stdout } = await program.run(['manifest', 'compile', 'job.yml'], { cwd })
    expect(stdout).toMatch(/^# default\.job\.v1@\.service\n/)
    expect(stdout).toContain('[Service]')
    expect(stdout).toContain('sleep 60')
  })

  it('prints a list as JSON', async () => {
    const { stdout } = await program.run(['manifest', 'compile', 'web.yml', '--json'], { cwd })
    expect(JSON.parse(stdout)).toMatchObject([{ service: 'web', unit: 'default.web.v1@.service' }])
  })
})

describe('metadata in manifests', () => {
  writeFileSync(join(cwd, 'asks.yml'), 'image: "nginx:{{ .meta.tag }}"\nports: ["{{ .meta.port }}:80"]\n')
  writeFileSync(join(cwd, 'test.env'), 'tag=1.27\nport=8080\n')
  writeFileSync(join(cwd, 'short.env'), 'tag=1.27\n')
  writeFileSync(join(cwd, 'odd.env'), 'tag=1.27\nport=eighty\n')
  const run = (...args: readonly string[]) => program.run(['manifest', ...args], { cwd })

  it('comes from a file where one is given, and is judged', async () => {
    const { stdout } = await run('render', 'asks.yml', '--meta', 'test.env', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ image: 'nginx:1.27', ports: [{ host: 8080, container: 80 }] })
    const odd = await run('lint', 'asks.yml', '--meta', 'odd.env')
    expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining('asks.yml:2:9 error')])
    const short = await run('lint', 'asks.yml', '--meta', 'short.env')
    expect([short.code, short.stderr]).toEqual([2, expect.stringContaining('has no meta key "port"')])
  })

  it('is made up where no daemon answers, or none is to be asked, which is told and judged by nothing', async () => {
    for (const more of [[], ['--offline']]) {
      const linted = await run('lint', 'asks.yml', ...more)
      expect([linted.code, linted.stdout]).toEqual([0, 'asks.yml: valid as far as metadata is known\n'])
      expect(linted.stderr).toContain('asks.yml:1:19 warning')
    }
    const printed = await run('render', 'asks.yml', '--offline')
    expect([printed.code, printed.stderr]).toEqual([2, expect.stringContaining('give --meta FILE')])
    expect(await run('lint', 'asks.yml', '--offline', '--meta', 'test.env')).toMatchObject({ code: 2 })
  })

  it('is none in a project that a deploy would make', async () => {
    const message = 'there is no project "new"'
    const daemon = await startDaemon({
      'GET /v1/projects/new/meta': (_, response) =>
        refuse(response, 404, { code: 'project/unknown', message, details: [] }),
    })
    const { code, stderr } = await run('lint', 'asks.yml', '-j', 'new', '--endpoint', daemon.endpoint)
    await daemon.close()
    expect([code, stderr]).toEqual([2, expect.stringContaining('project new has no meta key "tag"')])
  })
})
