import type { AnyEndpoint, EndpointInput } from '#contract/endpoint.ts'
import { downloadBlob } from '../lib/download.ts'
import { callRaw } from './client.ts'

/**
 * Saves the response of a call that needs the full session, which a link cannot carry; the response
 * supplies the file name.
 */
export async function downloadReply<E extends AnyEndpoint>(
  endpoint: E,
  input: EndpointInput<E>,
): Promise<void> {
  const response = await callRaw(endpoint, input)
  const name = /filename="([^"]*)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1]
  downloadBlob(name || 'download', await response.blob())
}
