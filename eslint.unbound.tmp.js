import tseslint from '/work/wt/house2/node_modules/typescript-eslint/dist/index.js'
export default tseslint.config({
  files: ['**/*.ts'],
  languageOptions: { parser: tseslint.parser, parserOptions: { projectService: true, tsconfigRootDir: '/work/wt/house2' } },
  plugins: { '@typescript-eslint': tseslint.plugin },
  rules: { '@typescript-eslint/unbound-method': 'error' },
})
