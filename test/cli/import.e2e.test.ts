import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { removeDir } from '../remove-dir.js'
import { useProgram } from './program.js'

const program = useProgram()
const cwd = mkdtempSync(join(tmpdir(), 'mariposa-import-'))
afterAll(() => removeDir(cwd))
const compose = `services:
  my_web:
    image: nginx:\${TAG}
    restart: always
    volumes: ["./html:/usr/share/nginx/html"]
  db:
    image: postgres:16
    restart: always
`
writeFileSync(join(cwd, 'docker-compose.yml'), compose)
writeFileSync(join(cwd, 'pod.yml'), 'apiVersion: v1\nkind: Pod\n')
const run = (...args: string[]) => program.run(['manifest', 'import', ...args], { cwd })
const read = (path: string) => readFileSync(join(cwd, path), 'utf8')

describe('manifest import', () => {
  it('prints a project manifest, and on standard error what is not in it', async () => {
    const { code, stdout, stderr } = await run('docker-compose.yml')
    expect(code).toBe(0)
    expect(stdout).toContain('  my-web:\n')
    expect(stdout).toContain('# not carried over: volume "./html": ')
    expect(stderr).toBe(
      '2 services; 3 things without counterpart or changed, each in a comment\nset before the deploy (mariposa meta set): TAG\n',
    )
    const linted = await program.run(['manifest', 'lint', '-'], { cwd, stdin: stdout })
    expect(linted).toMatchObject({ code: 0, stdout: '<stdin>: my-web is valid\n<stdin>: db is valid\n' })
  })

  it('reads standard input, and says nothing more with --quiet', async () => {
    const printed = await run('docker-compose.yml', '--quiet')
    expect(printed.stderr).toBe('')
    expect(await program.run(['manifest', 'import', '-', '-q'], { cwd, stdin: compose })).toEqual(printed)
  })

  it('prints services and notes as JSON', async () => {
    const { stdout } = await run('docker-compose.yml', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      services: { 'my-web': { image: 'nginx:{{ .meta.TAG }}' }, db: { image: 'postgres:16' } },
      notes: [
        { service: 'my-web', line: 2, column: 3 },
        { line: 3 },
        { path: '/services/my_web/volumes/0', line: 5 },
      ],
    })
  })

  it('reads the files of variables that lie beside the Compose file, and carries files and secrets', async () => {
    mkdirSync(join(cwd, 'beside'))
    writeFileSync(join(cwd, 'beside', 'web.env'), 'GREETING="hello, world"\n')
    const text = [
      'services:',
      '  web: {image: nginx, restart: always, env_file: ./web.env, configs: [motd], secrets: [key]}',
      'configs: {motd: {content: hi}}',
      'secrets: {key: {file: key.pem}}',
    ].join('\n')
    writeFileSync(join(cwd, 'beside', 'compose.yml'), text)
    const { code, stdout, stderr } = await run('beside/compose.yml')
    expect(code).toBe(0)
    expect(stdout).toContain('GREETING: hello, world')
    expect(stderr).toContain('set before the deploy (mariposa meta set): key')
    const linted = await program.run(['manifest', 'lint', '-'], { cwd, stdin: stdout })
    expect(linted).toMatchObject({ code: 0, stdout: '<stdin>: web is valid\n' })
  })

  it('writes one file, and does not overwrite it unless told to', async () => {
    expect(await run('docker-compose.yml', '--output', 'project.yml')).toMatchObject({ code: 0, stdout: '' })
    const written = read('project.yml')
    expect(written).toBe((await run('docker-compose.yml')).stdout)
    writeFileSync(join(cwd, 'project.yml'), 'mine\n')
    const refused = await run('docker-compose.yml', '--output', 'project.yml', '--json')
    expect(refused.code).toBe(2)
    expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'import/exists' } })
    expect(read('project.yml')).toBe('mine\n')
    expect(await run('docker-compose.yml', '-o', 'project.yml', '--force')).toMatchObject({ code: 0 })
    expect(read('project.yml')).toBe(written)
  })

  it('writes to standard output for -, and through no link to a file that is not there', async () => {
    expect(await run('docker-compose.yml', '-o', '-')).toEqual(await run('docker-compose.yml'))
    symlinkSync('elsewhere.yml', join(cwd, 'link.yml'))
    expect(await run('docker-compose.yml', '-o', 'link.yml')).toMatchObject({ code: 2, stdout: '' })
    expect(existsSync(join(cwd, 'elsewhere.yml'))).toBe(false)
  })

  it('writes nothing into a pipe that nobody reads', async () => {
    execFileSync('mkfifo', [join(cwd, 'pipe')])
    const { code, stderr } = await run('docker-compose.yml', '-o', 'pipe', '--force')
    expect(code).toBe(1)
    expect(stderr).toContain('pipe cannot be written: it exists and is not a file')
  })

  it('writes a file per service into a directory, all of them or none', async () => {
    expect(await run('docker-compose.yml', '--output', 'made/')).toMatchObject({ code: 0 })
    expect(readdirSync(join(cwd, 'made'))).toEqual(['db.yml', 'my-web.yml'])
    expect(await program.run(['manifest', 'lint', 'made'], { cwd })).toMatchObject({ code: 0 })
    mkdirSync(join(cwd, 'half'))
    writeFileSync(join(cwd, 'half', 'my-web.yml'), 'mine\n')
    expect(await run('docker-compose.yml', '--output', 'half')).toMatchObject({ code: 2 })
    expect(readdirSync(join(cwd, 'half'))).toEqual(['my-web.yml'])
  })

  it('refuses what is no Compose file, with the place', async () => {
    const { code, stderr } = await run('pod.yml')
    expect(code).toBe(2)
    expect(stderr).toMatch(/pod\.yml:1:1 error .*is not a Compose file/)
  })

  it('says what it cannot read or write', async () => {
    const missing = await run('nowhere.yml', '--json')
    expect(JSON.parse(missing.stdout)).toMatchObject({ error: { code: 'cli/unreadable' } })
    const unwritable = await run('docker-compose.yml', '--output', 'no/such/place.yml', '--json')
    expect(unwritable.code).toBe(1)
    expect(JSON.parse(unwritable.stdout)).toMatchObject({ error: { code: 'import/unwritable' } })
  })

  it('takes no columns: its --output is a path, behind the verb', async () => {
    const { code, stderr } = await program.run(['-o', 'name', 'manifest', 'import', 'docker-compose.yml'], {
      cwd,
    })
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no use for --output') as string,
    })
  })
})
