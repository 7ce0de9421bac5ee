import { withBase } from '../../lib/base-path.ts'

let loading: Promise<string> | null = null

async function fetchRuntime(): Promise<string> {
  const response = await fetch(withBase('/frames/component.js'))
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`)
  return response.text()
}

/**
 * Resolves with the runtime of components as text; loaded with the first one. The frame itself
 * loads nothing.
 */
export function loadComponentRuntime(): Promise<string> {
  loading ??= fetchRuntime().catch((thrown: unknown) => {
    loading = null
    throw thrown
  })
  return loading
}
