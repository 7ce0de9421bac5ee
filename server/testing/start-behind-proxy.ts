import { onTestFinished } from 'vitest'
import {
  PROXY_ADDRESS,
  sendThrough,
  type ThroughReply,
  type ThroughRequest,
} from './send-through.ts'
import { startTestServer, type TestServer } from './start-server.ts'

/** The names of the headers a proxy sends in the tests. */
export const IDENTITY_HEADERS = {
  WEBUI_AUTH_TRUSTED_EMAIL_HEADER: 'Remote-Email',
  WEBUI_AUTH_TRUSTED_NAME_HEADER: 'Remote-Name',
  WEBUI_AUTH_TRUSTED_GROUPS_HEADER: 'Remote-Groups',
  WEBUI_AUTH_TRUSTED_ROLE_HEADER: 'Remote-Role',
}
export const EMPTY = { email: '', password: '' }

/** Starts a gateway behind a proxy that signs users in, until the end of the test. */
export async function startBehindProxy(
  environment: Record<string, string> = {},
): Promise<TestServer> {
  const server = await startTestServer({
    environment: { ...IDENTITY_HEADERS, TRUSTED_PROXIES: PROXY_ADDRESS, ...environment },
  })
  onTestFinished(() => server.close())
  return server
}

export const through = (
  server: TestServer,
  path: string,
  request: ThroughRequest = {},
): Promise<ThroughReply> => sendThrough(server.url + path, request)

let counter = 0
export const newEmail = (): string => `person${(counter += 1)}@example.org`

/** Signs in with the headers of the proxy. */
export const enter = (
  server: TestServer,
  headers: Record<string, string | string[]>,
  from?: string,
): Promise<ThroughReply> =>
  through(server, '/api/v1/auths/signin', {
    headers,
    body: EMPTY,
    ...(from !== undefined && { from }),
  })
