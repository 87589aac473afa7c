// The rules of the house that a path or the shape of a call shows: what oxlint's own rules do not cover.

/** What makes an emitter that ends the process when it tells of an error and nobody listens. */
const emitterMakers = new Set([
  'spawn',
  'fork',
  'createConnection',
  'createReadStream',
  'createWriteStream',
  'createSocket',
  'watch',
])

/** Such an emitter that is kept in a variable has an 'error' listener in the function that makes it, or is handed on. */
const emittersAreHeard = {
  create: (context) => ({
    VariableDeclarator({ id, init, parent }) {
      if (id.type !== 'Identifier' || init?.type !== 'CallExpression') return
      if (init.callee.type !== 'Identifier' || !emitterMakers.has(init.callee.name)) return
      const text = context.sourceCode.getText(functionAround(parent))
      const isHeard = new RegExp(
        `\\b${id.name}\\s*\\.(on|once)\\('error'|once\\(${id.name}\\b|\\breturn ${id.name}\\b|[(,]\\s*${id.name}\\s*[,)]`,
      ).test(text)
      if (!isHeard) context.report({ node: id, message: `nobody listens to the 'error' of '${id.name}'` })
    },
  }),
}

function functionAround(node) {
  return /Function|Program/.test(node.type) ? node : functionAround(node.parent)
}

const noWaiting = {
  create: (context) => ({
    AwaitExpression: (node) => context.report({ node, message: 'Pure folders do not wait.' }),
    ForOfStatement(node) {
      if (node.await) context.report({ node, message: 'Pure folders do not wait.' })
    },
  }),
}

const noPresent = {
  create: (context) => ({
    NewExpression(node) {
      if (node.callee.name === 'Date' && node.arguments.length === 0)
        context.report({ node, message: 'Pass the instant in.' })
    },
  }),
}

const noPipe = {
  create: (context) => ({
    CallExpression(node) {
      if (node.callee.property?.name === 'pipe')
        context.report({
          node,
          message: 'pipe() hands on neither errors nor ends: use pipeline of node:stream/promises.',
        })
    },
  }),
}

const removedAgain = {
  create: (context) => ({
    CallExpression(node) {
      const isRemoval = /^rm(Sync)?$/.test(node.callee.name)
      const isRecursive = node.arguments.some(
        ({ type, properties }) =>
          type === 'ObjectExpression' && properties.some(({ key }) => key?.name === 'recursive'),
      )
      if (isRemoval && isRecursive)
        context.report({
          node,
          message:
            'A program that just ends may still write there: removeDir of test/remove-dir.ts tries again.',
        })
    },
  }),
}

export default {
  meta: { name: 'mariposa' },
  rules: {
    'emitters-are-heard': emittersAreHeard,
    'no-waiting': noWaiting,
    'no-present': noPresent,
    'no-pipe': noPipe,
    'removed-again': removedAgain,
  },
}
