// Real texts for tests to read, and to spoil.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The texts of this checkout that are YAML. */
export function corpus(): string[] {
  const root = join(import.meta.dirname, '../..')
  return ['examples', 'test', 'docs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join(root, folder, file))
      .filter((file) => /\.(ya?ml|json|md)$/.test(file) && statSync(file).isFile())
      .flatMap((file) => textsOf(file, readFileSync(file, 'utf8'))),
  )
}

function textsOf(file: string, text: string): string[] {
  if (!file.endsWith('.md')) return [text]
  return [...text.matchAll(/```ya?ml\n(.*?)```/gs)].map(([, block = '']) => block)
}
