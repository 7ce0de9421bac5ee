import { expect, it } from 'vitest'
import { startTestServer } from '../../testing/start-server.ts'
import { openClient } from './client-info.ts'
import { createOwnSecrets } from '../../storage/secrets/secrets.ts'

it('registrations at tool servers are kept under OAUTH_CLIENT_INFO_ENCRYPTION_KEY where it is set; older ones stay readable', async () => {
  const register = async (key: string | null) => {
    const server = await startTestServer({
      environment: {
        WEBUI_SECRET_KEY: 'common',
        ...(key !== null && { OAUTH_CLIENT_INFO_ENCRYPTION_KEY: key }),
      },
    })
    const token = await server.signUp('Root')
    const body = { url: 'http://127.0.0.1:2', client_id: 'desk', client_secret: 'hush' }
    const reply = await server.call('POST', '/api/v1/configs/oauth/clients/register', {
      token,
      body,
    })
    const { secrets } = server.context
    await server.close()
    return {
      sealed: ((await reply.json()) as { oauth_client_info: string }).oauth_client_info,
      secrets,
    }
  }
  const before = await register(null)
  const own = await register('one of its own')
  expect(openClient(before.secrets, 'desk', before.sealed)?.client.client_secret).toBe('hush')
  expect(openClient(own.secrets, 'desk', own.sealed)).toBeNull()
  const ownSecrets = createOwnSecrets(own.secrets, 'one of its own')
  expect(openClient(ownSecrets, 'desk', own.sealed)?.client.client_secret).toBe('hush')
  expect(openClient(ownSecrets, 'desk', before.sealed)?.client.client_secret).toBe('hush')
  expect(openClient(createOwnSecrets(own.secrets, 'another'), 'desk', own.sealed)).toBeNull()
})
