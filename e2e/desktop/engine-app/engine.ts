// The program that runs models, in an Electron whose Node may be older than that of the product.
import nodeModule from 'node:module'
import '../../../server/engine/program/main.ts'

const TRIED = 'export const testBindingBinary = async () => true'
const LOADER = `export const load = (url, context, next) => url.endsWith('/testBindingBinary.js')
  ? { format: 'module', source: ${JSON.stringify(TRIED)}, shortCircuit: true }
  : next(url, context)`

// Node 20 supports loader hooks in a separate thread only, so the same hook is registered there.
if (!('registerHooks' in nodeModule))
  Object.assign(nodeModule, {
    registerHooks: () => nodeModule.register(`data:text/javascript,${encodeURIComponent(LOADER)}`),
  })
