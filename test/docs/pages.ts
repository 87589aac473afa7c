import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..', '..')

/** The code blocks of a page in one language. */
export function blocksOf(page: string, language: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8')
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))
  return [...blocks].map((match) => match[1] ?? '')
}

/** The lines of a page's `sh` blocks, without comments. */
export function commandsOf(page: string): readonly string[] {
  return blocksOf(page, 'sh')
    .flatMap((block) => block.split('\n'))
    .map((line) => line.replace(/(^|\s+)#.*$/, '').trim())
    .filter((line) => line !== '')
}
