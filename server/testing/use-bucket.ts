import { expect, onTestFinished } from 'vitest'
import { startTestServer, type TestServer } from './start-server.ts'

/** Bytes of an upload. */
export type Content = Uint8Array<ArrayBuffer> | string

export const contentOf = (id: string): string => `/api/v1/files/${id}/content`

/** Returns the calls of a user with this token. */
export function createUploader(url: string, token: string) {
  const headers = { Authorization: `Bearer ${token}` }
  const upload = (name: string, bytes: Content, query = '?process=false'): Promise<Response> => {
    const body = new FormData()
    body.set('file', new Blob([bytes]), name)
    return fetch(`${url}/api/v1/files/${query}`, { method: 'POST', headers, body })
  }
  return {
    upload,
    /** Uploads a file and resolves with its id. */
    async keep(name: string, bytes: Content, query?: string): Promise<string> {
      const reply = await upload(name, bytes, query)
      expect(reply.status).toBe(200)
      return ((await reply.json()) as { id: string }).id
    },
    call: (
      target: string,
      init?: { method?: string; headers?: Record<string, string>; body?: string },
    ) => fetch(url + target, { ...init, headers: { ...headers, ...init?.headers } }),
  }
}

/** Starts a gateway with a user who uploads, until the end of the test. */
export async function openUploads(
  environment: Readonly<Record<string, string>>,
): Promise<ReturnType<typeof createUploader> & { readonly server: TestServer }> {
  const server = await startTestServer({ environment })
  onTestFinished(() => server.close())
  return { server, ...createUploader(server.url, await server.signUp('Ada')) }
}
