// The parser alone of Handlebars: the rest would be loaded and evaluated with each command, and is never called.
declare module 'handlebars/dist/cjs/handlebars/compiler/base.js' {
  export const parse: typeof import('handlebars').parse
}
