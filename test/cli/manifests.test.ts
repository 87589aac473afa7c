import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { useProgram } from './program.js'

const program = useProgram()
const cwd = mkdtempSync(join(tmpdir(), 'mariposa-manifests-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))
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
