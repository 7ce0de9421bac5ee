import { afterAll, beforeAll, expect } from 'vitest'
import { SCIM_SCHEMAS } from '#contract/scim.ts'
import { startTestServer, type TestServer } from './start-server.ts'

export const SCIM_TOKEN = 'a-token-of-the-directory'
export const SCIM_ROOT = '/api/v1/scim/v2'

export interface ScimReply {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- resources of any shape
  readonly body: any
}

/** Starts a gateway provisioned by a directory, for the tests of one file. */
export function useScim() {
  let server: TestServer
  let admin: string
  let counter = 0
  beforeAll(async () => {
    server = await startTestServer({ environment: { ENABLE_SCIM: 'true', SCIM_TOKEN } })
    admin = await server.signUp('Root')
    await server.context.settings.update({ WEBUI_URL: 'https://chat.example.org/chat/' })
  })
  afterAll(() => server.close())

  async function call(
    method: string,
    path: string,
    body?: unknown,
    token = SCIM_TOKEN,
  ): Promise<ScimReply> {
    const response = await fetch(server.url + SCIM_ROOT + path, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'Content-Type': 'application/scim+json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    }
  }

  async function addUser(fields: object = {}): Promise<ScimReply['body']> {
    const userName = `person${(counter += 1)}@example.org`
    const { status, body } = await call('POST', '/Users', {
      schemas: [SCIM_SCHEMAS.user],
      userName,
      ...fields,
    })
    expect(status, JSON.stringify(body)).toBe(201)
    return body
  }
  const patch = (path: string, ...Operations: object[]): Promise<ScimReply> =>
    call('PATCH', path, { schemas: [SCIM_SCHEMAS.patch], Operations })
  const filterUsers = async (filter: string): Promise<string[]> =>
    (await call('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body.Resources.map(
      ({ id }: { id: string }) => id,
    )
  return { server: () => server, admin: () => admin, call, addUser, patch, filterUsers }
}
