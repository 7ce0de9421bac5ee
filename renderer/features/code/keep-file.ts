import { endpoints } from '../../api/client.ts'
import { upload } from '../../api/upload.ts'

/** Stores bytes of this window among the user's files; they are not indexed for search. */
export async function keepFile(
  name: string,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<{ id: string; size: number }> {
  const form = new FormData()
  form.append('file', new File([new Uint8Array(bytes)], name.split('/').at(-1)!))
  const stored = await upload(endpoints.files.upload, { query: { process: false } }, form, {
    signal,
    onProgress: () => undefined,
  })
  return { id: stored.id, size: bytes.byteLength }
}
