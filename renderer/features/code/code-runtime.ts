import type { CodeState } from '#contract/code.ts'
import { call, callRaw, endpoints } from '../../api/client.ts'
import { fetchRuntimeFile } from '../../api/python-runtime.ts'
import { createCellsStore } from './cells-store.ts'
import type { FileBytes } from '#contract/python-frame.ts'
import { createInterpreter } from './interpreter.ts'
import { loadRuntime } from './load-runtime.ts'
import { createPythonFrame } from './python-frame.ts'

/** The one interpreter of this window, and the cells people ran in it. */
export const interpreter = createInterpreter(createPythonFrame(loadRuntime), (name) =>
  fetchRuntimeFile(name),
)
export const cellsStore = createCellsStore()

/** Takes away everything people ran here, as when another one signs in. */
export function forgetRuns(): void {
  for (const { running } of Object.values(cellsStore.getState().cells)) running?.stop()
  cellsStore.setState({ cells: {} })
  interpreter.forgetAll()
}

/** What runs code here, and within which limits. */
export const askCodeState = (): Promise<CodeState> => call(endpoints.code.state, { query: {} })

export interface NamedFile {
  readonly id: string
  readonly name: string
}

/** Reads stored files, so that code finds them. One that is gone meanwhile is left out. */
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
