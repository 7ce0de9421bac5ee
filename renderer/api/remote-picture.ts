import { callRaw, endpoints } from './client.ts'

/** A picture of the web, which the gateway fetches; its server does not learn who looks at it. */
export async function fetchRemotePicture(url: string): Promise<Blob> {
  const response = await callRaw(endpoints.images.show, { body: { url } })
  return response.blob()
}
