import type { AnyEndpoint, EndpointInput, EndpointOutput } from '#contract/endpoint.ts'
import { translate } from '../lib/i18n.ts'
import { ApiError, type RawInput, toRefusal, toUrl } from './client.ts'
import { callHeaders } from './session-key.ts'

interface UploadOptions {
  /** Media type of a plain body; a form sets its own. */
  readonly type?: string
  readonly signal: AbortSignal
  /** Receives the fraction sent, from 0 to 1. */
  readonly onProgress: (part: number) => void
}

/**
 * Sends a file, or a form with one, as the body of a call. Uses `XMLHttpRequest` because `fetch`
 * does not report upload progress.
 */
export function upload<E extends AnyEndpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  body: Blob | FormData,
  { type, signal, onProgress }: UploadOptions,
): Promise<EndpointOutput<E>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = (): void => request.abort()
    request.open(endpoint.method, toUrl(endpoint, input as RawInput))
    for (const [name, value] of Object.entries(callHeaders())) request.setRequestHeader(name, value)
    if (type !== undefined) request.setRequestHeader('Content-Type', type)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => {
      if (request.status < 300)
        return resolve(JSON.parse(request.responseText) as EndpointOutput<E>)
      const headers = { 'X-Request-Id': request.getResponseHeader('X-Request-Id') ?? '' }
      void toRefusal(
        endpoint,
        new Response(request.responseText, { status: request.status, headers }),
      ).then(reject)
    }
    request.onerror = () =>
      reject(
        new ApiError({ status: 0, detail: translate('common.unreachable'), code: 'unreachable' }),
      )
    request.onabort = () => reject(new DOMException('The upload was given up.', 'AbortError'))
    request.onloadend = () => signal.removeEventListener('abort', abort)
    signal.addEventListener('abort', abort)
    request.send(body)
  })
}
