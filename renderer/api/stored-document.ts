import { ApiError, isAborted } from './api-error.ts'
import { endpoints, toRefusal, toUrl } from './client.ts'
import { callHeaders } from './session-key.ts'
import { translate } from '../lib/i18n.ts'

/** Address of the bytes of a stored file. */
export const contentAddress = (id: string): string =>
  toUrl(endpoints.files.content, { params: { file_id: id } })

/** Address that saves a stored file instead of showing it. */
export const downloadAddress = (id: string): string =>
  toUrl(endpoints.files.content, { params: { file_id: id }, query: { attachment: true } })

/**
 * What a stored file is, as the gateway found out from its bytes. Throws `ApiError`, 404 when it is
 * not there for this person.
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
