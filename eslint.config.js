// Formatting and syntax rules are Biome's. ESLint runs only what needs types, and the rule that a path shows:
// a file does I/O only if it lies under an `io/` folder or in `src/main`.
import { builtinModules } from 'node:module'
import tseslint from 'typescript-eslint'

const nodeModules = builtinModules.flatMap((name) => [name, `node:${name}`])

/** What makes an emitter that ends the process when it tells of an error and nobody listens. */
const emitterMakers = [
  'spawn',
  'fork',
  'createConnection',
  'createReadStream',
  'createWriteStream',
  'createSocket',
  'watch',
]

/** Such an emitter that is kept in a variable has an 'error' listener in the function that makes it, or is handed on. */
const emittersAreHeard = {
  meta: { type: 'problem', schema: [], messages: { unheard: "nobody listens to the 'error' of '{{name}}'" } },
  create: ({ report, sourceCode }) => ({
    VariableDeclarator({ id, init }) {
      if (id.type !== 'Identifier' || init?.type !== 'CallExpression') return
      if (init.callee.type !== 'Identifier' || !emitterMakers.includes(init.callee.name)) return
      const within = sourceCode.getAncestors(id).findLast(({ type }) => /Function|Program/.test(type))
      const text = sourceCode.getText(within)
      const heard = new RegExp(
        `\\b${id.name}\\s*\\.(on|once)\\('error'|once\\(${id.name}\\b|\\breturn ${id.name}\\b|[(,]\\s*${id.name}\\s*[,)]`,
      )
      if (!heard.test(text)) report({ node: id, messageId: 'unheard', data: { name: id.name } })
    },
  }),
}

export default tseslint.config(
  {
    ignores: [
      'dist',
      'node_modules',
      'src/manifest/validators.js',
      'eslint.config.js',
      '.dependency-cruiser.cjs',
      '**/*.mjs',
    ],
  },
  {
    files: ['**/*.ts'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: {
      '@typescript-eslint': tseslint.plugin,
      mariposa: { rules: { 'emitters-are-heard': emittersAreHeard } },
    },
    rules: {
      // `void` before a promise is no handler: what it throws ends the daemon.
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: false }],
      // An async listener is a promise that nobody looks at.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/prefer-promise-reject-errors': 'error',
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/**/io/**', 'src/main/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: nodeModules
            .filter((name) => !['crypto', 'node:crypto'].includes(name))
            .map((name) => ({ name, message: 'Pure folders do no I/O: move this under an io/ folder.' })),
          patterns: [
            {
              group: ['dockerode', 'dbus-native', 'fastify', '@grpc/grpc-js'],
              message: 'Pure folders do no I/O.',
            },
          ],
        },
      ],
      'no-restricted-globals': [
        'error',
        'setTimeout',
        'setInterval',
        'setImmediate',
        'process',
        'console',
        'fetch',
        'Buffer',
        'performance',
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Pass the instant in.' },
        { object: 'Math', property: 'random', message: 'Names derive from data; randomness is passed in.' },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'AwaitExpression', message: 'Pure folders do not wait.' },
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'Pass the instant in.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: { 'mariposa/emitters-are-heard': 'error' },
  },
  {
    files: ['src/**/io/**/*.ts', 'src/main/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.property.name='pipe']",
          message: 'pipe() hands on neither errors nor ends: use pipeline of node:stream/promises.',
        },
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    ignores: ['test/remove-dir.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "CallExpression[callee.name=/^rm(Sync)?$/] > ObjectExpression > Property[key.name='recursive']",
          message:
            'A program that just ends may still write there: removeDir of test/remove-dir.ts tries again.',
        },
      ],
    },
  },
  { files: ['src/lib/hash.ts'], rules: { 'no-restricted-imports': 'off' } },
)
