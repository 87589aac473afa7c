// Formatting and syntax rules are Biome's. Here is what needs types, and what a path shows:
// a file does I/O only if it lies under an `io/` folder or in `src/main`.
import { builtinModules } from 'node:module'

const nodeModules = builtinModules.flatMap((name) => [name, `node:${name}`])

export default {
  plugins: ['typescript'],
  jsPlugins: ['./scripts/lint-rules.mjs'],
  categories: { correctness: 'off' },
  options: { typeAware: true },
  ignorePatterns: ['dist', 'src/manifest/validators.js', '**/*.mjs'],
  rules: {
    // `void` before a promise is no handler: what it throws ends the daemon.
    'typescript/no-floating-promises': ['error', { ignoreVoid: false }],
    // An async listener is a promise that nobody looks at.
    'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    'typescript/await-thenable': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/only-throw-error': 'error',
    'typescript/prefer-promise-reject-errors': 'error',
    'typescript/no-unnecessary-type-assertion': 'error',
    'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
  },
  overrides: [
    {
      files: ['src/**/*.ts'],
      excludeFiles: ['src/**/io/**', 'src/main/**'],
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
        'mariposa/no-waiting': 'error',
        'mariposa/no-present': 'error',
      },
    },
    {
      // What they wait for is simulated in virtual time.
      files: ['api', 'agent', 'notify', 'backup', 'dns'].map((folder) => `src/${folder}/io/**/*.ts`),
      rules: {
        'no-restricted-globals': ['error', 'setTimeout', 'setInterval', 'performance'],
        'no-restricted-properties': [
          'error',
          {
            object: 'AbortSignal',
            property: 'timeout',
            message: 'Use abortAfter with the clock of the daemon.',
          },
          { object: 'Date', property: 'now', message: 'Use the clock of the daemon.' },
        ],
      },
    },
    {
      // Ids are of the random port, so that a simulated run is the same again. Secrets are not, nor what a caller must not guess.
      files: ['src/api/io/**/*.ts'],
      excludeFiles: ['src/api/io/make-secret.ts', 'src/api/io/exec-routes.ts'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            paths: ['crypto', 'node:crypto'].map((name) => ({
              name,
              importNames: ['randomUUID', 'randomBytes', 'randomInt'],
              message: 'Use uuidByChance with the randomness of the daemon.',
            })),
          },
        ],
      },
    },
    { files: ['src/**/*.ts'], rules: { 'mariposa/emitters-are-heard': 'error' } },
    { files: ['src/**/io/**/*.ts', 'src/main/**/*.ts'], rules: { 'mariposa/no-pipe': 'error' } },
    {
      files: ['test/**/*.ts'],
      excludeFiles: ['test/remove-dir.ts'],
      rules: { 'mariposa/removed-again': 'error' },
    },
    { files: ['src/lib/hash.ts'], rules: { 'no-restricted-imports': 'off' } },
  ],
}
