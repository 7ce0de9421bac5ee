import type { PluginState } from '#contract/plugins.ts'
import type { Environments } from './python/environments.ts'
import type { PythonSearch } from './python/find-python.ts'
import type { Records } from './records.ts'
import type { Supervisor } from './worker/supervisor.ts'

export interface RuntimeParts {
  /** Null before the first search. */
  readonly found: PythonSearch | null
  /** True if the system keeps plugins away from files of the account. */
  readonly isFenced: boolean
  readonly records: Records
  readonly environments: Environments
  readonly supervisor: Supervisor
}

const NOT_FENCED =
  'This system cannot keep plugins from the files of the account the gateway runs under, its own secrets among them (Linux with Landlock can). Add only plugins whose authors you trust with all of that.'

function describePython(found: PythonSearch | null, isFenced: boolean): PluginState['python'] {
  if (!found) return { status: 'unknown', path: null, version: null, detail: null }
  if ('missing' in found)
    return { status: 'missing', path: null, version: null, detail: found.missing }
  const { path, version } = found.python
  return {
    status: 'ready',
    path,
    version,
    detail:
      [found.remark, isFenced ? null : NOT_FENCED].filter((each) => each !== null).join(' ') ||
      null,
  }
}

/** Describes the plugin runtime for administrators. */
export function describeRuntime({
  found,
  isFenced,
  records,
  environments,
  supervisor,
}: RuntimeParts): PluginState {
  const all = [...records.all('tool'), ...records.all('function')]
  return {
    python: describePython(found, isFenced),
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
    faults: all.flatMap(({ store, id, fault }) =>
      fault === null ? [] : [{ store, plugin_id: id, detail: fault }],
    ),
  }
}
