import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultPackages } from '../../src/manifest/default-packages.js'
import { readManifests } from '../../src/manifest/manifest.js'
import { parsePackageList } from '../../src/manifest/package-list.js'
import { choosePackage } from '../../src/manifest/packages.js'
import { standIns } from '../../src/manifest/stand-ins.js'
import { summary } from './reading.js'

const list = `packages:
  - {name: small-1G, ram: 1G, disk: 25G, cpu: 100}
  - {name: small-2G, ram: 2048, disk: 50G, cpu: 200}
  - {name: big-2G, family: large, ram: 2G, disk: 100G, cpu: 400}
`
const { packages } = parsePackageList({ file: 'packages.yml', text: list })
const chosen = (name?: string, memory?: number) => {
  const choice = choosePackage({ package: name, memory }, packages)
  return 'chosen' in choice ? (choice.chosen?.name ?? null) : choice
}

describe('choosing a package', () => {
  test('by name and by uuid', () => {
    expect(chosen('big-2G')).toBe('big-2G')
    expect(chosen(packages[1]?.uuid)).toBe('small-2G')
  })

  test('by family: the smallest that holds the memory', () => {
    expect(chosen('small')).toBe('small-1G')
    expect(chosen('small', 1025)).toBe('small-2G')
    expect(chosen('large', 1)).toBe('big-2G')
  })

  test('without one: the smallest of all that holds the memory, the first of equals', () => {
    expect(chosen(undefined, 1024)).toBe('small-1G')
    expect(chosen(undefined, 2048)).toBe('small-2G')
    expect(chosen(undefined, 2049)).toBe(null)
    expect(chosen()).toBe(null)
  })

  test('says what is near, or what is too small', () => {
    expect(chosen('smal-1G')).toEqual({ unknown: 'smal-1G', near: 'small-1G' })
    expect(chosen('small', 4096)).toMatchObject({ tooSmall: [{ name: 'small-1G' }, { name: 'small-2G' }] })
  })

  test('never takes one that is too small, nor one larger than need be', () => {
    const wish = fc.record({
      package: fc.constantFrom(undefined, 'g4-highcpu', 'g4-general', 'g4-highram'),
      memory: fc.integer({ min: 1, max: 300_000 }),
    })
    fc.assert(
      fc.property(wish, ({ package: family, memory }) => {
        const choice = choosePackage({ package: family, memory }, defaultPackages)
        const fit = defaultPackages.filter(
          (one) => one.ram >= memory && [undefined, one.family].includes(family),
        )
        const least = Math.min(...fit.map(({ ram }) => ram))
        if ('chosen' in choice && choice.chosen) expect(choice.chosen.ram).toBe(least)
        else expect(fit).toEqual([])
      }),
    )
  })
})

describe('a package list', () => {
  test('gives each package its uuid and family', () => {
    expect(packages).toMatchObject([
      { name: 'small-1G', family: 'small', ram: 1024, disk: 25_600, cpu: 100 },
      { name: 'small-2G', family: 'small', ram: 2048 },
      { name: 'big-2G', family: 'large', cpu: 400 },
    ])
    expect(new Set(packages.map(({ uuid }) => uuid)).size).toBe(3)
  })

  test('can be a list alone, or a map by name', () => {
    const read = (text: string) => parsePackageList({ file: 'p.yml', text })
    expect(read(list.replace('packages:\n', '')).packages).toEqual(packages)
    expect(read(list.replace('packages:\n', '').replace(/- \{name: ([^,]+), /g, '$1: {')).packages).toEqual(
      packages,
    )
    expect(read(list.replace(/- \{name: ([^,]+), /g, '$1: {')).packages).toEqual(packages)
  })

  test('ships: three families, no two alike', () => {
    expect(new Set(defaultPackages.map(({ family }) => family)).size).toBe(3)
    expect(new Set(defaultPackages.map(({ name }) => name)).size).toBe(defaultPackages.length)
    expect(new Set(defaultPackages.map(({ uuid }) => uuid)).size).toBe(defaultPackages.length)
    const shipped = parsePackageList({ file: 'p.json', text: JSON.stringify({ packages: defaultPackages }) })
    expect(shipped).toEqual({ packages: defaultPackages, diagnostics: [] })
  })

  test.each([
    ['', 'manifest/empty 0:1 '],
    ['packages: 5', 'manifest/bad-value 1:11 5'],
    ['- {name: a, ram: 1, disk: 1}', 'manifest/missing 1:3 {name: a, ram: 1, disk: 1}'],
    ['- {name: a, ram: lots, disk: 1, cpu: 1}', 'manifest/bad-value 1:18 lots'],
    ['- {name: a, ram: 1, disk: 1, cpu: 0}', 'manifest/bad-value 1:35 0'],
    ['- {name: a__b, ram: 1, disk: 1, cpu: 1}', 'manifest/bad-value 1:10 a__b'],
    ['- {name: a, ram: 1, disk: 1, cpu: 1, vcpu: 1}', 'manifest/unknown-key 1:38 vcpu'],
    ['- {name: a, uuid: x, ram: 1, disk: 1, cpu: 1}', 'manifest/bad-value 1:19 x'],
    ['- {name: "{{ .scale }}", ram: 1, disk: 1, cpu: 1}', 'template/not-allowed 1:11 {{ .scale }}'],
    [
      '- {name: a, ram: 1, disk: 1, cpu: 1}\n- {name: a, ram: 2, disk: 1, cpu: 1}',
      'manifest/duplicate-package 2:10 a',
    ],
    ['packages: []\n---\npackages: []', 'manifest/empty 3:1 packages: []'],
  ])('%j has a problem with its place', (text, expected) => {
    const read = parsePackageList({ file: 'p.yml', text })
    expect(read.diagnostics.map((one) => summary(text, one))).toContain(expected)
    expect(read.packages).toEqual([])
  })
})

describe('a manifest', () => {
  const read = (text: string) => readManifests([{ file: 'web.yml', text }], standIns, packages)

  test('gets its package, and its templates speak of it', () => {
    const text =
      'image: x\npackage: large\nenvironment: ["M={{ .package.ram }} {{ .package.family }}"]\nmemory: 1500'
    expect(read(text).manifests[0]).toMatchObject({
      package: { name: 'big-2G' },
      manifest: { package: 'large', memory: 1500, environment: { M: '2048 large' } },
    })
  })

  test('may compute with the scale how much memory it asks for', () => {
    expect(read('image: x\nmemory: "{{ .scale }}500"').manifests[0]?.package?.name).toBe('small-2G')
  })

  test('cannot choose its package by its package', () => {
    const { diagnostics } = read('image: x\npackage: small\nmemory: "{{ .package.ram }}"')
    expect(diagnostics.map(({ code }) => code)).toContain('template/no-package')
  })

  test('is told of a package that the daemon does not have', () => {
    expect(read('image: x\npackage: big-3G').diagnostics).toMatchObject([
      { code: 'manifest/unknown-package', line: 2, column: 10, hint: 'did you mean big-2G?' },
    ])
  })

  test('without a daemon is only warned, and gets a package that stands for it', () => {
    const { manifests, diagnostics } = readManifests(
      [{ file: 'web.yml', text: 'image: x\npackage: big-3G\nmemory: 300\nuser: "u{{ .package.ram }}"' }],
      standIns,
    )
    expect(diagnostics).toMatchObject([{ code: 'manifest/package-not-checked', severity: 'warning' }])
    expect(manifests[0]?.manifest.user).toBe('u512')
  })
})
