import type { Plugin, Rolldown } from 'vite'

type Import = Extract<
  ReturnType<Rolldown.PluginContext['parse']>['body'][number],
  { type: 'ImportDeclaration' }
>
type Imported = Extract<Import['specifiers'][number], { type: 'ImportSpecifier' }>['imported']

/** Packages that stay outside the bundle and are CommonJS. */
const REQUIRED = new Set(['better-sqlite3'])

const nameOf = (node: Imported): string => ('value' in node ? node.value : node.name)

/**
 * Returns an expression that loads a module without the ES module loader; null for one that needs
 * it.
 */
function toExpression(source: string): string | null {
  if (source.startsWith('node:')) return `process.getBuiltinModule(${JSON.stringify(source)})`
  if (!REQUIRED.has(source)) return null
  return `process.getBuiltinModule('node:module').createRequire(import.meta.url)(${JSON.stringify(source)})`
}

function toStatement({ specifiers }: Import, expression: string): string {
  const whole = specifiers
    .filter((each) => each.type !== 'ImportSpecifier')
    .map((each) => `${each.local.name}=${expression}`)
  const names = specifiers
    .filter((each) => each.type === 'ImportSpecifier')
    .map((each) => `${JSON.stringify(nameOf(each.imported))}:${each.local.name}`)
  const parts = names.length > 0 ? [...whole, `{${names.join(',')}}=${expression}`] : whole
  return parts.length > 0 ? `var ${parts.join(',')};` : ''
}

/**
 * Makes the bundle load the modules of Node and the database directly.
 *
 * @NOTE With an `import`, the ES module loader reads all their exports, including those whose code
 *   is otherwise loaded on demand, and queries the file system for each; together that is a tenth of
 *   the whole start (Node 24).
 */
export function loadDirectly(): Plugin {
  return {
    name: 'load-directly',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        for (const node of this.parse(chunk.code).body.toReversed()) {
          if (node.type !== 'ImportDeclaration') continue
          const expression = toExpression(node.source.value)
          if (expression === null) continue
          chunk.code =
            chunk.code.slice(0, node.start) +
            toStatement(node, expression) +
            chunk.code.slice(node.end)
        }
      }
    },
  }
}
