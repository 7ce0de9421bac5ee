import type { CodeState } from '#contract/code.ts'
import { call, callRaw, endpoints } from '../../api/client.ts'
import { fetchRuntimeFile } from '../../api/python-runtime.ts'
import { createCellsStore } from './cells-store.ts'
import type { FileBytes } from '#contract/python-frame.ts'
import { createInterpreter } from './interpreter.ts'
import { loadRuntime } from './load-runtime.ts'
import { createPythonFrame } from './python-frame.ts'

/** The window's only interpreter, and the cells run in it. */
export const interpreter = createInterpreter(createPythonFrame(loadRuntime), (name) =>
  fetchRuntimeFile(name),
)
export const cellsStore = createCellsStore()

/** Discards all runs, e.g. when another user signs in. */
export function forgetRuns(): void {
  for (const { running } of Object.values(cellsStore.getState().cells)) running?.stop()
  cellsStore.setState({ cells: {} })
  interpreter.forgetAll()
}

/** Resolves with the engine that runs code here, and its limits. */
export const askCodeState = (): Promise<CodeState> => call(endpoints.code.state, { query: {} })

export interface NamedFile {
  readonly id: string
  readonly name: string
}

/** Loads stored files for code. A file deleted meanwhile is left out. */
export async function readFiles(
  files: readonly NamedFile[],
  signal: AbortSignal,
): Promise<readonly FileBytes[]> {
  const read = files.map(async ({ id, name }): Promise<FileBytes[]> => {
    try {
      const response = await callRaw(
        endpoints.files.content,
        { params: { file_id: id }, query: {} },
        { signal },
      )
      return [{ name, bytes: new Uint8Array(await response.arrayBuffer()) }]
    } catch (thrown) {
      if (signal.aborted) throw thrown
      return []
    }
  })
  return (await Promise.all(read)).flat()
}
