import { ApiError, isAborted } from './api-error.ts'
import { endpoints, toRefusal, toUrl } from './client.ts'
import { callHeaders } from './session-key.ts'
import { translate } from '../lib/i18n.ts'

/** Returns the URL of a stored file's contents. */
export const contentAddress = (id: string): string =>
  toUrl(endpoints.files.content, { params: { file_id: id } })

/** Returns the URL that downloads a stored file instead of showing it. */
export const downloadAddress = (id: string): string =>
  toUrl(endpoints.files.content, { params: { file_id: id }, query: { attachment: true } })

/**
 * Resolves with the content type the gateway detected from the file's bytes. Throws `ApiError`, 404
 * if the file does not exist for this user.
 */
export async function askContentType(id: string, signal: AbortSignal): Promise<string> {
  let response: Response
  try {
    response = await fetch(contentAddress(id), {
      method: 'HEAD',
      headers: callHeaders(),
      credentials: 'same-origin',
      signal,
    })
  } catch (thrown) {
    if (isAborted(thrown)) throw thrown
    throw new ApiError({ status: 0, detail: translate('common.unreachable'), code: 'unreachable' })
  }
  if (!response.ok) throw await toRefusal(endpoints.files.content, response)
  return (response.headers.get('Content-Type') ?? '').split(';', 1)[0]!.trim().toLowerCase()
}
