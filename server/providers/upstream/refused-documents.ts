import { ServiceError } from '../../lib/errors.ts'
import type { CompletionCall } from '../provider.ts'

/**
 * Terms with which providers name a rejected part of a message: its kind, the kind of file, or its
 * field.
 */
const ABOUT_DOCUMENTS = /\b(?:files?|file_data|input_file|documents?|pdfs?)\b/i

/** Returns true if a provider rejected documents that can be sent as text instead. */
const isAboutDocuments = (error: unknown): boolean =>
  error instanceof ServiceError &&
  error.code === 'upstream_refused' &&
  (ABOUT_DOCUMENTS.test(error.message) ||
    ABOUT_DOCUMENTS.test(error.reported?.param?.replaceAll('.', ' ') ?? ''))

/**
 * Sends a call, and retries with the text of its documents if the provider rejects them. Throws the
 * first error if the documents cannot be read.
 */
export async function sendReadable<Reply>(
  call: CompletionCall,
  send: (body: Readonly<Record<string, unknown>>) => Promise<Reply>,
): Promise<Reply> {
  try {
    return await send(call.body)
  } catch (error) {
    if (!call.withoutDocuments || !isAboutDocuments(error)) throw error
    const messages = await call.withoutDocuments().catch(() => null)
    if (messages === null) throw error
    call.notes?.translated('part:file')
    return await send({ ...call.body, messages })
  }
}
