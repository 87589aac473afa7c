import { describe, expect, test } from 'vitest'
import { compileVersion } from '../../src/compile/compile.js'
import { readManifests } from '../../src/manifest/manifest.js'
import { standIns } from '../../src/manifest/stand-ins.js'

const program = 'name: web\ncompute_type: process\ncommand: [/bin/web]\n'

function read(text: string) {
  const { manifests, diagnostics } = readManifests([{ file: 'web.yml', text }], standIns)
  return {
    manifest: manifests[0]?.manifest,
    problems: diagnostics.map((one) => `${one.line}: ${one.message}`),
  }
}

describe('init steps', () => {
  test.each<[string, readonly (readonly string[])[]]>([
    ['init: [./prepare]', [['./prepare']]],
    [
      'init: [{command: ["sh", "-c", "a; b"]}, "b c"]',
      [
        ['sh', '-c', 'a; b'],
        ['b', 'c'],
      ],
    ],
    ['init: {command: ./prepare --all}', [['./prepare', '--all']]],
    ['init_steps: [./prepare]', [['./prepare']]],
    ['init_steps: ./prepare', [['./prepare']]],
  ])('%s', (text, commands) => {
    const { manifest, problems } = read(`${program}${text}\n`)
    expect(problems).toEqual([])
    expect(manifest?.init_steps?.map(({ command }) => command)).toEqual(commands)
    expect(manifest).not.toHaveProperty('init')
  })

  test.each([
    ['init: [[sh, -c]]', 'expected a command line, or a map with command'],
    ['init: []', 'expected'],
    ['init_steps: [{program: x}]', 'there is no key "program"'],
    ['init_steps: [{}]', 'command is missing'],
    ['init_steps: [""]', 'expected'],
    ['init_timeout: 5m', 'init_timeout needs init_steps'],
    ['init: [x]\ninit_timeout: 2 days', 'init_timeout'],
    ['init: [x]\ninit_steps: [y]', 'expected true or false'],
    ['init: [run, "{{ .volume.data.path }}/x"]', 'the service has no volume "data"'],
    ['init: [{command: x, image: "app:1"}]', 'a step of a process has no image: it runs on the host'],
    ['init: true', 'orphaned processes are collected'],
  ])('%s is refused', (text, problem) => {
    expect(read(`${program}${text}\n`).problems.join('\n')).toContain(problem)
  })

  test('are refused for virtual machines, and init stays a flag of containers', () => {
    const { problems } = read('name: web\ncompute_type: kvm\nimage: debian\ninit: [./prepare]\n')
    expect(problems).toContain('4: compute_type: kvm runs no steps before its program yet')
    expect(read('name: web\nimage: nginx\ninit: true\n').manifest).toMatchObject({ init: true })
  })

  test.each([
    ['UPPER', 'is not a Docker image'],
    ['"a b"', 'the name of an image'],
    ['[x]', 'the name of an image'],
  ])('cannot run in the image %s', (image, problem) => {
    const text = `name: web\nimage: nginx\ninit: [{command: x, image: ${image}}]\n`
    expect(read(text).problems.join('\n')).toContain(problem)
  })

  test('say the images that they have of their own, with the number of the step', () => {
    const steps = '[./a, {command: b, image: "r.example/{{ .service.name }}:1"}]'
    const { manifest } = read(`name: web\nimage: nginx\ninit: ${steps}\n`)
    if (manifest === undefined) throw new Error('no manifest')
    const compiled = compileVersion({
      ...{ project: 'shop', manifest, package: null, file: 'web.yml' },
      version: { uuid: 'v', ordinal: 1 },
    })
    expect(compiled.diagnostics).toEqual([])
    expect(compiled.text.split('\n').filter((line) => /^(ExecStartPre|InitImage)/.test(line))).toEqual([
      'ExecStartPre=./a',
      'ExecStartPre=b',
      'InitImage=2 r.example/web:1',
    ])
  })

  test('are commands of a container, each within its time', () => {
    const { manifest } = read(
      'name: web\nimage: nginx\ninit: [./prepare "$HOME", {command: [x, "50%"]}]\ninit_timeout: 10m\n',
    )
    if (manifest === undefined) throw new Error('no manifest')
    const compiled = compileVersion({
      ...{ project: 'shop', manifest, package: null, file: 'web.yml' },
      version: { uuid: 'v', ordinal: 1 },
    })
    expect(compiled.diagnostics).toEqual([])
    expect(compiled.text.split('\n').filter((line) => /^(ExecStart|TimeoutStart)/.test(line))).toEqual([
      'ExecStartPre=./prepare $$HOME',
      'ExecStartPre=x 50%%',
      'TimeoutStartSec=600s',
    ])
  })

  test('become commands that run before the program, each within its time', () => {
    const text = `${program}init: [./prepare "$HOME", {command: [/bin/x, "50%"]}]\ninit_timeout: 10m\nworking_dir: /srv\n`
    const { manifest } = read(text)
    if (manifest === undefined) throw new Error('no manifest')
    const compiled = compileVersion({
      ...{ project: 'shop', manifest, package: null, file: 'web.yml' },
      version: { uuid: 'v', ordinal: 1 },
    })
    expect(compiled.diagnostics).toEqual([])
    expect(compiled.text.split('\n').filter((line) => /^(ExecStart|Timeout)/.test(line))).toEqual([
      'ExecStartPre=@/srv/./prepare ./prepare $$HOME',
      'ExecStartPre=/bin/x 50%%',
      'TimeoutStartSec=600s',
      'ExecStart=/bin/web',
      'TimeoutStopSec=10s',
    ])
  })
})
