// `node scripts/exports.mjs`: names that src exports and that no other file of src imports, each with who else does. With
// `--check` it fails for those that nobody imports.
import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'

const root = resolve(import.meta.dirname, '..')
const parse = (file) => ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
const filesIn = (folder) =>
  ts.sys.readDirectory(join(root, folder), ['.ts', '.mjs']).filter((file) => !file.endsWith('.d.ts'))

const isExported = (node) => node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true

/** The names that a file exports of its own. */
function exportsOf(source) {
  return source.statements.flatMap((node) => {
    if (!isExported(node)) return []
    if (ts.isVariableStatement(node)) return node.declarationList.declarations.map(({ name }) => name)
    return node.name === undefined ? [] : [node.name]
  })
}

/** The file that a specifier names; null for a package. */
function target(file, specifier) {
  if (specifier === undefined || !specifier.startsWith('.')) return null
  return resolve(dirname(file), specifier).replace(/\.js$/, '.ts')
}

/** What a file takes from others: pairs of a file and a name, `*` for all of it. */
function importsOf(file, source) {
  const found = []
  const note = (specifier, names) => {
    const from = target(file, specifier)
    if (from !== null) for (const name of names) found.push([from, name])
  }
  const namesIn = (bindings) =>
    bindings === undefined || !('elements' in bindings)
      ? ['*']
      : bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text)
  const visit = (node) => {
    if (ts.isImportDeclaration(node))
      note(node.moduleSpecifier.text, namesIn(node.importClause?.namedBindings))
    else if (ts.isExportDeclaration(node)) note(node.moduleSpecifier?.text, namesIn(node.exportClause))
    else if (ts.isImportTypeNode(node)) note(node.argument.literal?.text, ['*'])
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      note(node.arguments[0]?.text, ['*'])
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const sources = new Map(
  ['src', 'test', 'bench', 'scripts'].flatMap(filesIn).map((file) => [file, parse(file)]),
)
const users = new Map()
for (const [file, source] of sources)
  for (const [from, name] of importsOf(file, source)) {
    const key = `${from} ${name}`
    users.set(key, [...(users.get(key) ?? []), relative(root, file).split('/')[0]])
  }

const unused = [...sources]
  .filter(([file]) => file.startsWith(join(root, 'src/')))
  .flatMap(([file, source]) =>
    exportsOf(source).map((name) => {
      const { line } = source.getLineAndCharacterOfPosition(name.getStart())
      const by = new Set([...(users.get(`${file} ${name.text}`) ?? []), ...(users.get(`${file} *`) ?? [])])
      return { place: `${relative(root, file)}:${line + 1}`, name: name.text, by }
    }),
  )
  .filter(({ by }) => !by.has('src'))

const isCheck = process.argv.includes('--check')
for (const { place, name, by } of unused) {
  if (isCheck && by.size > 0) continue
  console.log(`${place}: ${name}: ${by.size === 0 ? 'nobody imports it' : `only ${[...by].join(', ')}`}`)
  if (isCheck) process.exitCode = 1
}
