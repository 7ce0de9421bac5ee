import { createReadStream } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { badRequest } from '../../lib/errors.ts'
import { toServiceError } from '../../lib/serving/to-error.ts'
import type { Backend } from '../../providers/index.ts'
import { saveFile } from './save-file.ts'

/** A model file to be installed in a runtime. */
export interface Installation {
  readonly backend: Backend
  readonly filename: string
  readonly chunks: AsyncIterable<Buffer>
  readonly length: number | null
  readonly limit: number
  readonly folder: string
  readonly signal: AbortSignal
  readonly response: ServerResponse
}

const STEP_BYTES = 4 * 1024 * 1024
const NAME = /^[\w][\w.-]{0,180}$/

/** Returns the last part of a path; throws unless it is a plain name. */
export function parseFilename(text: string): string {
  const name = text.split(/[/\\]/).at(-1) ?? ''
  if (!NAME.test(name))
    throw badRequest(
      'The name of the file may contain letters, digits, dots, dashes and underscores only.',
    )
  return name
}

const toModelName = (filename: string): string =>
  filename.replace(/\.(gguf|bin|safetensors)$/i, '').toLowerCase()

/**
 * Saves a file, sends it to the runtime and creates a model from it, reporting the progress to the
 * caller.
 */
export async function installFile(installation: Installation): Promise<void> {
  const { backend, filename, chunks, length, limit, folder, signal, response } = installation
  const tell = (event: Record<string, unknown>): void =>
    void response.write(`data: ${JSON.stringify(event)}\n\n`)
  let told = 0
  const onProgress = (bytes: number): void => {
    if (bytes - told < STEP_BYTES) return
    told = bytes
    tell({
      completed: bytes,
      total: length,
      progress: length ? Math.round((bytes / length) * 1000) / 10 : null,
    })
  }
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache, no-transform',
  })
  response.flushHeaders()
  try {
    const file = await saveFile(chunks, { folder, limit, signal, onProgress })
    try {
      const model = toModelName(filename)
      tell({ completed: file.bytes, total: file.bytes, progress: 100 })
      await backend.send(
        {
          method: 'POST',
          path: `/api/blobs/${file.digest}`,
          body: createReadStream(file.path),
          isWhole: true,
        },
        signal,
      )
      const body = JSON.stringify({ model, files: { [filename]: file.digest }, stream: false })
      await backend.change(() =>
        backend.send({ method: 'POST', path: '/api/create', body, isWhole: true }, signal),
      )
      tell({ done: true, blob: file.digest, name: filename, model_created: model })
    } finally {
      await file.remove()
    }
  } catch (error) {
    if (!signal.aborted) tell({ error: toServiceError(error).message })
  }
  response.end()
}
