// `node scripts/vocabulary.mjs`: lists in docs/vocabulary.md the types that cross folders of src, each with the first
// sentence of its comment. With `--check` it only says whether the list is current.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'

const root = resolve(import.meta.dirname, '..')
const page = join(root, 'docs/vocabulary.md')
const heading = '## Types that cross folders'

/** The folder of src that a file is in. */
const folderOf = (file) => relative(join(root, 'src'), file).split('/')[0]

/** Parsed sources. */
function sources() {
  const all = ts.sys.readDirectory(join(root, 'src'), ['.ts'])
  const written = all.filter((file) => !file.endsWith('.d.ts'))
  return new Map(
    written.map((file) => [
      file,
      ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true),
    ]),
  )
}

/** Exported classes, interfaces and type aliases of a file, with the first sentence that explains each. */
function exportedTypes(source) {
  const isType = (node) =>
    ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node)
  const isExported = (node) =>
    node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  return new Map(
    source.statements
      .filter((node) => isType(node) && isExported(node))
      .map((node) => [node.name.text, meaningOf(node)]),
  )
}

function meaningOf(node) {
  const comment = node.jsDoc?.at(-1)?.comment
  const text = ts.getTextOfJSDocComment(comment)?.replaceAll(/\s+/g, ' ') ?? ''
  return (/^.*?[^.][.;:](?= |$)/.exec(text)?.[0] ?? text).replace(/[.;:]$/, '').replaceAll('|', '\\|')
}

/** The types that a file of another folder imports: their names and meanings, by folder. */
function crossing(files) {
  const types = new Map([...files].map(([file, source]) => [file, exportedTypes(source)]))
  const found = new Map()
  for (const [file, source] of files) {
    for (const { specifier, names } of importsOf(source)) {
      const from = resolve(dirname(file), specifier).replace(/\.js$/, '.ts')
      if (folderOf(from) === folderOf(file)) continue
      for (const name of names) {
        const origin = types.get(from)?.has(name) ? from : null
        if (origin === null) continue
        const folder = found.get(folderOf(origin)) ?? new Map()
        folder.set(name, types.get(origin).get(name))
        found.set(folderOf(origin), folder)
      }
    }
  }
  return found
}

function importsOf(source) {
  return source.statements.flatMap((node) => {
    const isOurs = ts.isImportDeclaration(node) && node.moduleSpecifier.text.startsWith('.')
    const bindings = isOurs ? node.importClause?.namedBindings : undefined
    if (bindings === undefined || !ts.isNamedImports(bindings)) return []
    const names = bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text)
    return [{ specifier: node.moduleSpecifier.text, names }]
  })
}

/** What the types without a comment of their own are. */
const ofRest = (folder) =>
  folder === 'contract'
    ? 'Shapes of requests and answers, described in [api.md](api.md)'
    : 'As their names say'

const byName = ([a], [b]) => (a < b ? -1 : 1)

/** The section of the page. */
function render(found) {
  const sections = [...found].sort(byName).map(([folder, types]) => {
    const sorted = [...types].sort(byName)
    const explained = sorted.filter(([, meaning]) => meaning !== '')
    const rest = sorted.filter(([, meaning]) => meaning === '').map(([name]) => `\`${name}\``)
    const rows = explained.map(([name, meaning]) => `| \`${name}\` | ${meaning} |`)
    const table = rows.length === 0 ? [] : ['', '| type | means |', '| --- | --- |', ...rows]
    return [
      `### ${folder}`,
      ...table,
      ...(rest.length === 0 ? [] : ['', `${ofRest(folder)}: ${rest.join(', ')}.`]),
    ]
  })
  const introduction =
    'This list is written by `node scripts/vocabulary.mjs` from the comments in the code; `npm run arrows` fails while it is out of date.'
  return `${heading}\n\n${introduction}\n\n${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

const before = readFileSync(page, 'utf8')
const at = before.indexOf(heading)
const written = at === -1 ? `${before.trimEnd()}\n\n` : before.slice(0, at)
const now = `${written}${render(crossing(sources()))}`
if (!process.argv.includes('--check')) writeFileSync(page, now)
else if (now !== before) {
  console.error('docs/vocabulary.md is out of date: run `node scripts/vocabulary.mjs`')
  process.exitCode = 1
}
