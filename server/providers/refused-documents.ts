import { ServiceError } from '../lib/errors.ts'
import type { CompletionCall } from './provider.ts'

/**
 * How providers name a part of a message they do not take: by its kind, the kind of file, or the
 * field it stands in.
 */
const ABOUT_DOCUMENTS = /\b(?:files?|file_data|input_file|documents?|pdfs?)\b/i

/** Whether a provider refused documents that can be sent as text instead. */
const isAboutDocuments = (error: unknown): boolean =>
  error instanceof ServiceError &&
  error.code === 'upstream_refused' &&
  (ABOUT_DOCUMENTS.test(error.message) ||
    ABOUT_DOCUMENTS.test(error.reported?.param?.replaceAll('.', ' ') ?? ''))

/**
 * Sends a call, and once more with the text of its documents when the provider refuses them. The
 * first refusal is told when the documents cannot be read.
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
