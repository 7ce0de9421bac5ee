import { badRequest, conflict, unsupportedType } from '../../lib/errors.ts'
import type { HttpCall } from '../../lib/http.ts'
import { saveUpload } from './save-upload.ts'

interface ModelFileOptions<Entry> {
  /** What the file contains, such as `model`. */
  readonly noun: string
  /** Folder of incomplete uploads. */
  readonly folder: string
  readonly limit: number
  /** Ending of the files, such as `.gguf`. */
  readonly ending: string
  /** Name of the model in this file; null if the name of the file is not allowed. */
  readonly name: string | null
  /** Reports whether there is a model of this name. */
  readonly isTaken: (name: string) => Promise<boolean>
  /** Moves the complete file into the library. */
  readonly take: (file: string) => Promise<Entry>
}

/** Receives the file of a model that is sent as the body. */
export async function receiveModelFile<Entry>(
  { request, signal, confirm }: Pick<HttpCall, 'request' | 'signal' | 'confirm'>,
  { noun, folder, limit, ending, name, isTaken, take }: ModelFileOptions<Entry>,
): Promise<Entry> {
  if (name === null)
    throw badRequest(
      `The name of the file may contain letters, digits, dots and dashes, and ends with "${ending}".`,
    )
  if (!/^application\/octet-stream\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    throw unsupportedType('Send the file itself with "Content-Type: application/octet-stream".')
  if (await isTaken(name)) throw conflict(`There is a ${noun} of this name already.`)
  const saved = await saveUpload(request, { folder, limit, signal })
  try {
    await confirm()
    return await take(saved.file)
  } finally {
    await saved.remove()
  }
}
