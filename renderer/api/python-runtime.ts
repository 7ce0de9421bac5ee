import { PYODIDE_VERSION } from '#contract/code.ts'
import { callRaw, endpoints } from './client.ts'

/**
 * Fetches a file of the Python runtime; `onBytes` receives the number of bytes loaded and the total
 * if known.
 */
export async function fetchRuntimeFile(
  file: string,
  onBytes?: (loaded: number, total: number | null) => void,
): Promise<ArrayBuffer> {
  const response = await callRaw(endpoints.code.runtimeFile, {
    params: { version: PYODIDE_VERSION, file },
  })
  const length = Number(response.headers.get('Content-Length'))
  const total = length > 0 && !response.headers.has('Content-Encoding') ? length : null
  if (!onBytes || !response.body) return response.arrayBuffer()
  let loaded = 0
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(piece, controller) {
        loaded += piece.byteLength
        onBytes(loaded, total)
        controller.enqueue(piece)
      },
    }),
  )
  return new Response(counted).arrayBuffer()
}
