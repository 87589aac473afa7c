import { describe, expect, test } from 'vitest'
import { compileVersion } from '../../src/compile/compile.js'
import { defaultCnsSuffixes } from '../../src/manifest/cns.js'
import { parseManifest, readManifests } from '../../src/manifest/manifest.js'
import { sourcePathsOf } from '../../src/manifest/source-paths.js'
import type { DeployVariables } from '../../src/manifest/variables.js'
import { deferredPlaceholder } from '../../src/manifest/variables.js'
import { filesAtMost, type SourcedFile } from '../../src/model/arriving-file.js'

const meta = new Map([
  ['domain', 'shop.example'],
  ['tls.key', null],
])
const known: DeployVariables = {
  project: { name: 'shop' },
  service: { name: 'web', uuid: 'u', version: 'v', ordinal: 1 },
  scale: 1,
  meta: { values: meta, complete: true },
  package: null,
  cns: defaultCnsSuffixes,
}

function filesOf(text: string): unknown {
  const source = { file: 'web.yml', text: `image: x\n${text}\n` }
  const { manifests, diagnostics } = readManifests([source], () => known)
  expect(diagnostics).toEqual([])
  return manifests[0]?.manifest.files
}

function problemsOf(text: string): string {
  const { diagnostics } = readManifests([{ file: 'web.yml', text }], () => known)
  return diagnostics.map(({ code, message, hint = '' }) => `${code} ${message} ${hint}`).join('\n')
}

describe('files', () => {
  test.each([
    ['{path: /a, content: "{{ .meta.domain }}"}', { path: '/a', template: '{{ .meta.domain }}' }],
    ['{path: a/b, template: "{{ .meta.domain }}"}', { path: 'a/b', template: 'shop.example' }],
    ['{path: /a, meta: domain, mode: 640}', { path: '/a', template: 'shop.example', mode: '0640' }],
    [
      '{path: /a, meta: tls.key, mode: "0400"}',
      { path: '/a', template: deferredPlaceholder('meta.tls.key'), mode: '0400' },
    ],
    ['{path: /a, content: 5, owner: 1000}', { path: '/a', template: '5', owner: '1000' }],
    ['{path: /a, content: "", secret: false}', { path: '/a', template: '', secret: false }],
    ['{path: /a, content: x, on_change: none}', { path: '/a', template: 'x' }],
    [
      '{path: /a, template: "{{ .meta.domain }}!", on_change: {signal: HUP}}',
      {
        path: '/a',
        template: `${deferredPlaceholder('meta.domain')}!`,
        on_change: { signal: 'SIGHUP' },
      },
    ],
    [
      '{path: /a, meta: tls.key, on_change: {signal: SIGUSR1}}',
      { path: '/a', template: deferredPlaceholder('meta.tls.key'), on_change: { signal: 'SIGUSR1' } },
    ],
    [
      '{path: /a, meta: domain, on_change: restart}',
      { path: '/a', template: 'shop.example', on_change: { restart: 1 } },
    ],
    [
      '{path: /a, meta: tls.key, on_change: {restart: 3}}',
      { path: '/a', template: deferredPlaceholder('meta.tls.key'), on_change: { restart: 3 } },
    ],
    ['{path: /a, source: ./conf/a}', { path: '/a', source: 'conf/a' }],
    ['{path: __proto__, content: x}', { path: '__proto__', template: 'x' }],
  ])('%s is read', (text, expected) => {
    expect(filesOf(`files: [${text}]`)).toEqual([expected])
    expect(filesOf(`files: ${text}`)).toEqual([expected])
  })

  test('secrets are files below /run/secrets', () => {
    expect(filesOf('secrets: [domain, {meta: tls.key, name: key.pem}]')).toEqual([
      { path: '/run/secrets/domain', template: 'shop.example', secret: true },
      { path: '/run/secrets/key.pem', template: deferredPlaceholder('meta.tls.key'), secret: true },
    ])
    expect(filesOf('files: {path: /a, content: x}\nsecrets: domain')).toHaveLength(2)
  })

  test.each([
    ['{path: /etc/../x, content: a}', 'path is "/etc/../x"'],
    ['{path: ../x, content: a}', 'path is "../x"'],
    ['{path: /, content: a}', 'path is "/"'],
    ['{path: "/a:b", content: a}', 'path is "/a:b"'],
    ['{path: "/a\\0b", content: a}', 'manifest/bad-character'],
    ['{path: /a, content: "\\0"}', 'manifest/bad-character'],
    ['{path: /a}', 'this file has no content'],
    ['{content: a}', 'path is missing'],
    ['{path: /a, content: a, meta: domain}', 'one of content and meta'],
    ['{path: /a, meta: "no key"}', 'not a key of the metadata'],
    ['{path: /a, meta: other}', 'no meta key "other"'],
    ['{path: /a, meta: __proto__}', 'not a key of the metadata'],
    ['{path: /a, content: a, mode: 4755}', 'setuid'],
    ['{path: /a, content: a, mode: 0888}', 'octal'],
    ['{path: /a, content: a, owner: "a b"}', 'user or user:group'],
    ['{path: /a, content: a, owner: www-data}', 'in the image of the container'],
    ['{path: /a, content: a, secret: true}', 'visible to everybody'],
    ['{path: /a, source: ../a}', 'source is "../a"'],
    ['{path: /a, source: /etc/passwd}', 'source is "/etc/passwd"'],
    ['{path: /a, source: a, content: b}', 'one of source and content'],
    ['{path: /a, source: a, secret: true}', 'visible to everybody'],
    ['{path: /a, content: a, on_change: restart}', 'which this one does not'],
    ['{path: /a, meta: domain, on_change: {restart: 0}}', 'from 1 to'],
    ['{path: /a, meta: domain, on_change: {restart: 1.5}}', 'a whole number'],
    ['{path: /a, meta: domain, on_change: {restart: many}}', 'how many'],
    ['{path: /a, meta: domain, on_change: {restart: 1, signal: HUP}}', 'none, restart, or a map'],
    ['{path: /a, content: a, on_change: {signal: HUP}}', 'which this one does not'],
    ['{path: "/{{ .meta.domain }}", content: a, on_change: {signal: HUP}}', 'which this one does not'],
    ['{path: /a, source: a, on_change: {signal: HUP}}', 'which this one does not'],
    ['{path: /a, meta: domain, on_change: {signal: KILL}}', 'one of SIGHUP, SIGUSR1, SIGUSR2'],
    ['{path: /a, meta: domain, on_change: {}}', 'none, restart, or a map'],
    ['{path: /a, meta: domain, on_change: sometimes}', 'none, restart, or a map with signal or restart'],
    ['{path: /proc/sys/x, content: a}', 'belongs to the kernel'],
    ['{path: /run/secrets, content: a}', 'is a directory'],
    ['{path: /a, contents: a}', 'did you mean'],
    ['{path: /a, content: a}, {path: /a, content: b}', 'cannot both be files'],
    ['{path: /a, content: a}, {path: /a/b, content: b}', 'cannot both be files'],
    [`{path: /a, content: ${'a'.repeat(300_000)}}`, 'at most 262144 characters'],
    [
      Array.from({ length: 3 }, (_, i) => `{path: /${i}, content: ${'a'.repeat(200_000)}}`).join(),
      `in all, and up to this one they have ${600_000}`,
    ],
  ])('%.80s is refused: %s', (text, why) => {
    expect(problemsOf(`image: x\nfiles: [${text}]\n`)).toContain(why)
    expect(filesAtMost).toBeLessThan(600_000)
  })

  test('that follow the metadata ask for keys that no instance is made anew for, but for those that are not there', () => {
    const keysOf = (template: string, environment = ''): unknown => {
      const file = `{path: /a, template: ${JSON.stringify(template)}, on_change: {signal: HUP}}`
      const text = `image: x\nfiles: [${file}]\nenvironment: {A: "${environment}"}\n`
      const { manifests } = readManifests([{ file: 'web.yml', text }], () => known)
      return [manifests[0]?.meta, manifests[0]?.unitMeta]
    }
    expect(keysOf('{{ .meta.domain }}')).toEqual([['domain'], []])
    expect(keysOf('{{ .meta.domain }}', '{{ .meta.domain }}')).toEqual([['domain'], ['domain']])
    expect(keysOf('{{ .meta.domain }}{{ default .meta.other "x" }}')).toEqual([
      ['domain', 'other'],
      ['other'],
    ])
  })

  test('that restart their instances ask for keys as any other, and say which those are, with the least number at a time', () => {
    const text = `image: x
files:
  - {path: /a, template: "{{ .meta.domain }}", on_change: {restart: 3}}
  - {path: /b, template: '{{ .meta.domain }}{{ default .meta.other "x" }}', on_change: {restart: 2}}
  - {path: /c, meta: tls.key}
`
    const { manifests } = readManifests([{ file: 'web.yml', text }], () => known)
    expect(manifests[0]?.unitMeta).toEqual(['domain', 'other', 'tls.key'])
    expect(manifests[0]?.restartOn).toEqual({ domain: 2, other: 2 })
  })

  test('of runs restart nothing', () => {
    const text = 'image: x\nservice_type: event\nfiles: [{path: /a, meta: domain, on_change: restart}]\n'
    expect(problemsOf(text)).toContain('a service of type event runs once for each start')
  })

  test('are no part of volumes that would keep their names', () => {
    const withFile = (volume: string): string =>
      problemsOf(`image: x\nvolumes: [${volume}]\nfiles: [{path: /data/a, content: x}]\n`)
    expect(withFile('/etc:/data')).toContain('would keep an empty file')
    expect(withFile('{name: d, path: /data}')).toContain('would keep an empty file')
    expect(withFile('{name: d, path: /data/a}')).toContain('there is a volume at /data/a')
    expect(withFile('{tmpfs: true, path: /data}')).toBe('')
    expect(withFile('{name: d, path: /data-2}')).toBe('')
  })

  test('are where variables say, and only where there are any', () => {
    const word = 'command: [run, "{{ .files.dir }}/a", "{{ .secrets.dir }}/b"]\n'
    expect(problemsOf(`image: x\n${word}files: [{path: a, content: x}]\n`)).toBe('')
    expect(problemsOf(`image: x\n${word}`)).toContain('no files, and so no files.dir')
    expect(problemsOf(`image: "{{ .files.dir }}"\nfiles: [{path: a, content: x}]\n`)).toContain('depends on')
    expect(problemsOf(`image: x\nenvironment: {A: "{{ .files.other }}"}\n`)).toContain('no variable')
  })

  test('of the directory come with the manifest, or are missed, and are small together', () => {
    const text = 'image: x\nfiles: [{path: /a, source: ./a}, {path: /b, source: b}]\n'
    const compiled = (files: readonly SourcedFile[]) => {
      const [read] = parseManifest({ file: 'web.yml', text, files }).manifests
      if (read === undefined) expect.fail()
      return { read, ...compileVersion({ project: 'shop', version: { uuid: 'v', ordinal: 1 }, ...read }) }
    }
    expect(sourcePathsOf({ file: 'web.yml', text })).toMatchObject([
      { path: 'a', place: { line: 2 } },
      { path: 'b', place: { line: 2 } },
    ])
    const other = { path: 'other', data: 'AAAA' }
    const both = compiled([{ path: 'b', data: 'AP8=' }, other, { path: 'a', data: 'AAAA' }])
    expect(both.diagnostics).toEqual([])
    expect(both.read.sources.map(({ path }) => path)).toEqual(['a', 'b'])
    expect(both.text).toContain('File=/b base64=AP8=\n')
    expect(compiled([{ path: 'a', data: '' }]).diagnostics).toMatchObject([
      { code: 'compile/missing-source', path: '/files/1/source' },
    ])
    const large = Buffer.alloc(150_000).toString('base64')
    expect(compiled(['a', 'b'].map((path) => ({ path, data: large }))).diagnostics).toMatchObject([
      { code: 'compile/sources-too-large', message: expect.stringContaining('300000') as string },
    ])
  })

  test('ask for volumes that are there', () => {
    const text = 'image: x\nfiles: [{path: a, template: "{{ .volume.data.path }}"}]\n'
    const { manifests } = parseManifest({ file: 'web.yml', text })
    const [read] = manifests
    if (read === undefined) expect.fail()
    const version = { uuid: 'v', ordinal: 1 }
    const { diagnostics } = compileVersion({ project: 'shop', version, ...read })
    expect(diagnostics).toMatchObject([{ code: 'compile/unknown-volume', path: '/files/0/template' }])
  })
})
