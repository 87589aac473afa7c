import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
]

/** The anchors of a page, as hosting sites make them of its headings. */
function anchorsOf(file: string): ReadonlySet<string> {
  const text = readFileSync(file, 'utf8').replaceAll(/^```.*?^```/gms, '')
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map((match) => match[1] ?? '')
  const plain = headings.map((heading) => heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase())
  return new Set(plain.map((heading) => heading.replaceAll(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-')))
}

describe('the pages', () => {
  it.each(pages)('%s links only to files that exist', (page) => {
    const file = join(root, page)
    const targets = [...readFileSync(file, 'utf8').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(
      (match) => match[1] ?? '',
    )
    const missing = targets
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => !existsSync(join(dirname(file), target)))
    expect(missing.map((target) => `${relative(root, file)} → ${target}`)).toEqual([])
  })

  it.each(pages)('%s links only to headings that exist', (page) => {
    const file = join(root, page)
    const missing = [...readFileSync(file, 'utf8').matchAll(/\]\(([^)#\s]*)#([^)\s]+)\)/g)]
      .map(([, target = '', anchor = '']) => ({ target, anchor }))
      .filter(({ target }) => target === '' || (target.endsWith('.md') && !/^[a-z]+:/.test(target)))
      .filter(({ target, anchor }) => {
        const to = target === '' ? file : join(dirname(file), target)
        return existsSync(to) && !anchorsOf(to).has(anchor)
      })
    expect(missing.map(({ target, anchor }) => `${target}#${anchor}`)).toEqual([])
  })

  it.each(pages)('%s names only npm scripts that exist', (page) => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
    const named = [...readFileSync(join(root, page), 'utf8').matchAll(/npm run ([a-z0-9:]+)/g)].map(
      (match) => match[1] ?? '',
    )
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  })
})
