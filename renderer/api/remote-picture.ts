import { callRaw, endpoints } from './client.ts'

/**
 * Fetches a picture from the web through the gateway, so that its server does not learn who views
 * it.
 */
export async function fetchRemotePicture(url: string): Promise<Blob> {
  const response = await callRaw(endpoints.images.show, { body: { url } })
  return response.blob()
}
