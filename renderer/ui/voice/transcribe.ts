import { ApiError, isAborted } from '../../api/api-error.ts'
import { endpoints, toRefusal, toUrl } from '../../api/client.ts'
import { callHeaders } from '../../api/session-key.ts'
import { translate } from '../../lib/i18n.ts'
import type { Recording } from './microphone.ts'

/** Transcribes a recording with the gateway's engine. */
export async function transcribe(
  { blob, filename }: Recording,
  signal: AbortSignal,
): Promise<string> {
  const endpoint = endpoints.audio.transcriptions
  const form = new FormData()
  form.append('file', blob, filename)
  let response: Response
  try {
    response = await fetch(toUrl(endpoint, {}), {
      method: endpoint.method,
      headers: callHeaders(),
      body: form,
      credentials: 'same-origin',
      signal,
    })
  } catch (thrown) {
    if (isAborted(thrown)) throw thrown
    throw new ApiError({ status: 0, detail: translate('common.unreachable'), code: 'unreachable' })
  }
  if (!response.ok) throw await toRefusal(endpoint, response)
  return ((await response.json()) as { text: string }).text.trim()
}
