import { afterAll, beforeAll, beforeEach } from 'vitest'
import { startTestServer, type TestServer } from './start-server.ts'

/** Starts a gateway for the tests of one file, with two new users in every test. */
export function useOwnerAndOther() {
  let server: TestServer
  let admin: string
  let owner: string
  let other: string
  let people = 0
  beforeAll(async () => {
    server = await startTestServer({ environment: { DEFAULT_USER_ROLE: 'user' } })
    admin = await server.signUp('Root')
    await server.context.settings.update({ ENABLE_SIGNUP: true })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    people += 1
    owner = await server.signUp(`Owner ${people}`)
    other = await server.signUp(`Other ${people}`)
  })
  return {
    server: () => server,
    admin: () => admin,
    owner: () => owner,
    other: () => other,
    /** Calls an endpoint below /api/v1, as the owner unless another token is given. */
    call: async <Body = Record<string, unknown>>(
      method: string,
      path: string,
      body?: unknown,
      token = owner,
    ): Promise<{ status: number; body: Body }> => {
      const response = await server.call(method, `/api/v1${path}`, { token, body })
      return { status: response.status, body: (await response.json()) as Body }
    },
  }
}
