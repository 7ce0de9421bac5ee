import path from 'node:path'
import { SPINE } from './check-architecture.ts'
import { root } from './run-step.ts'

/** Information of the bundler about modules. */
interface ModuleGraph {
  getModuleInfo(id: string): {
    readonly isEntry: boolean
    readonly importers: readonly string[]
    readonly dynamicImporters: readonly string[]
  } | null
}

const GATEWAY = path.join(root, 'server/process/run-process.ts')
/** The last module of each part but the last part; a part imports only from the preceding ones. */
const LAST_ROOMS = ['contract', 'auth', 'channels', 'code']
const LAST_PLACES = LAST_ROOMS.map((room) => SPINE.indexOf(room))

function toPart(id: string): string {
  const [first, room = ''] = path.relative(root, id).split(path.sep)
  if (first !== 'server') return 'packages'
  const place = SPINE.indexOf(path.parse(room).name)
  const part = LAST_PLACES.findIndex((last) => place <= last)
  return `gateway-${part === -1 ? LAST_ROOMS.length + 1 : part + 1}`
}

/**
 * Splits the code of the gateway itself, which is loaded as a whole, into parts. V8 needs eight
 * times the length of a module while it compiles it for the first time, and the C library keeps
 * most of that permanently, because longer-lived allocations follow it in memory. Code that workers
 * also load stays in separate chunks.
 */
export function createPartNames(): (id: string, graph: ModuleGraph) => string | null {
  const known = new Map<string, boolean>()
  /** Returns true if only the gateway itself loads a module. */
  const isOfGateway = (id: string, graph: ModuleGraph): boolean => {
    const before = known.get(id)
    if (before !== undefined) return before
    known.set(id, true)
    const info = graph.getModuleInfo(id)
    const isOwn =
      id === GATEWAY ||
      (info !== null &&
        !info.isEntry &&
        info.dynamicImporters.length === 0 &&
        info.importers.length > 0 &&
        info.importers.every((importer) => isOfGateway(importer, graph)))
    known.set(id, isOwn)
    return isOwn
  }
  return (id, graph) => (id !== GATEWAY && isOfGateway(id, graph) ? toPart(id) : null)
}
