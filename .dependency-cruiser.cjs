// The arrows of docs/architecture.md: which folder of src may import which. Types count too.
const reach = {
  lib: [],
  model: ['lib'],
  unit: ['lib', 'model'],
  manifest: ['lib', 'model'],
  compile: ['lib', 'model', 'unit', 'manifest'],
  store: ['lib', 'model'],
  engine: ['lib', 'model', 'unit', 'store'],
  service: ['lib', 'model', 'unit', 'store', 'compile'],
  health: ['lib', 'model', 'store'],
  autoscale: ['lib', 'model', 'store'],
  schedule: ['lib', 'model', 'store'],
  notify: ['lib', 'model', 'store'],
  agent: ['lib', 'model', 'unit', 'store', 'health'],
  api: ['lib', 'model', 'unit', 'manifest', 'compile', 'store', 'engine', 'service', 'health', 'autoscale', 'schedule', 'notify', 'agent'],
  cli: ['lib', 'model', 'manifest', 'compile', 'api'],
}

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'pure-does-not-import-io',
      comment: 'a file outside io/ and main never imports one inside',
      severity: 'error',
      from: { path: '^src/', pathNot: '(/io/|^src/main/)' },
      to: { path: '/io/' },
    },
    {
      name: 'cli-knows-only-the-contract',
      comment: 'of the API the CLI may import the contract alone',
      severity: 'error',
      from: { path: '^src/cli/' },
      to: { path: '^src/api/', pathNot: '^src/api/contract\\.ts$' },
    },
    { name: 'nobody-imports-main', severity: 'error', from: { path: '^src/(?!main/)' }, to: { path: '^src/main/' } },
    ...Object.entries(reach).map(([folder, may]) => ({
      name: `arrows-of-${folder}`,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: { path: '^src/', pathNot: `^src/(${[folder, ...may].join('|')})/` },
    })),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
  },
}
