import { fetchRuntimeFile } from '../../api/python-runtime.ts'
import type { RuntimeParts } from '#contract/python-frame.ts'

/** Receives the loaded fraction, from 0 to 1; null if unknown. */
export type OnPart = (part: number | null) => void

const FILES = [
  'pyodide.asm.mjs',
  'pyodide.asm.wasm',
  'python_stdlib.zip',
  'pyodide-lock.json',
] as const

/** Loads the Python runtime: 14 MB the first time, afterwards from the browser's cache. */
export async function loadRuntime(onPart: OnPart): Promise<RuntimeParts> {
  const progress = new Map<string, { loaded: number; total: number | null }>()
  const tell = (): void => {
    const all = [...progress.values()]
    if (all.length < FILES.length || all.some(({ total }) => total === null)) return onPart(null)
    onPart(
      all.reduce((sum, { loaded }) => sum + loaded, 0) /
        all.reduce((sum, { total }) => sum + total!, 0),
    )
  }
  const [script, wasm, library, packages] = await Promise.all(
    FILES.map((file) =>
      fetchRuntimeFile(file, (loaded, total) => {
        progress.set(file, { loaded, total })
        tell()
      }),
    ),
  )
  const toText = (bytes: ArrayBuffer): string => new TextDecoder().decode(bytes)
  return { script: toText(script!), wasm: wasm!, library: library!, packages: toText(packages!) }
}
