import type { PluginState } from '#contract/plugins.ts'
import type { Environments } from './python/environments.ts'
import type { PythonSearch } from './python/find-python.ts'
import type { Records } from './records.ts'
import type { Supervisor } from './worker/supervisor.ts'

export interface RuntimeParts {
  /** Null before anybody looked for it. */
  readonly found: PythonSearch | null
  readonly records: Records
  readonly environments: Environments
  readonly supervisor: Supervisor
}

function describePython(found: PythonSearch | null): PluginState['python'] {
  if (!found) return { status: 'unknown', path: null, version: null, detail: null }
  if ('missing' in found) return { status: 'missing', path: null, version: null, detail: found.missing }
  const { path, version } = found.python
  return { status: 'ready', path, version, detail: found.remark }
}

/** What plugins run in, for administrators. */
export function describeRuntime({ found, records, environments, supervisor }: RuntimeParts): PluginState {
  const all = [...records.all('tool'), ...records.all('function')]
  return {
    python: describePython(found),
    environments: environments.describe(),
    workers: supervisor.workers().map(({ worker, environmentId }) => ({
      id: worker.id,
      environment_id: environmentId,
      pid: worker.pid ?? null,
      status: worker.state.status,
      plugins: worker.running(),
      calls: worker.running().length,
      memory: worker.state.memory,
      threads: worker.state.threads,
    })),
    faults: all.flatMap(({ store, id, fault }) => (fault === null ? [] : [{ store, plugin_id: id, detail: fault }])),
  }
}
