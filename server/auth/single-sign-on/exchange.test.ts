import { afterEach, describe, expect, it } from 'vitest'
import { CLIENT } from '../../testing/start-open-id-provider.ts'
import { startHostileProvider } from '../../testing/start-hostile-provider.ts'
import { startSingleSignOn, type SingleSignOnWorld } from '../../testing/start-single-sign-on.ts'
import { startTestServer } from '../../testing/start-server.ts'
import { TestBrowser } from '../../testing/test-browser.ts'

let world: SingleSignOnWorld

/** Resolves with an access token of the provider, as a user's app obtains it for a client. */
async function tokenFor(
  person: string,
  client: { id: string; secret: string } = CLIENT,
): Promise<string> {
  world.provider.state.person = person
  const redirect = `${world.server.url}/oauth/oidc/callback`
  const verifier = 'v'.repeat(43)
  const challenge = Buffer.from(
    await crypto.subtle.digest('SHA-256', Buffer.from(verifier)),
  ).toString('base64url')
  const query = new URLSearchParams({
    client_id: client.id,
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: redirect,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'x',
  })
  const back = new URL(
    await new TestBrowser().follow(`${world.provider.url}/auth?${query.toString()}`, redirect),
  )
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: back.searchParams.get('code')!,
    redirect_uri: redirect,
    code_verifier: verifier,
  })
  const headers = {
    Authorization: `Basic ${Buffer.from(`${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret).replaceAll('%20', '+')}`).toString('base64')}`,
  }
  const reply = (await (
    await fetch(`${world.provider.url}/token`, { method: 'POST', body, headers })
  ).json()) as { access_token: string }
  return reply.access_token
}
const exchange = async (token: unknown, provider = 'oidc') => {
  const reply = await world.server.call('POST', `/api/v1/auths/oauth/${provider}/token/exchange`, {
    body: { token },
  })
  return {
    status: reply.status,
    cookies: reply.headers.getSetCookie(),
    body: (await reply.json()) as Record<string, unknown>,
  }
}

describe('exchanging a token of a provider', () => {
  afterEach(() => world.close())

  it('is off unless it is switched on', async () => {
    world = await startSingleSignOn()
    expect(await exchange('x')).toMatchObject({
      status: 403,
      body: { detail: 'Token exchange is disabled' },
    })
    expect((await exchange(undefined)).status).toBe(422)
  })

  it('gives a session to whoever has an account, without a cookie and without making one', async () => {
    world = await startSingleSignOn({ ENABLE_OAUTH_TOKEN_EXCHANGE: 'true' })
    await world.server.signUp('Root')
    expect(await exchange(await tokenFor('ada'))).toMatchObject({ status: 403 })
    await world.signIn('ada')
    const { status, body, cookies } = await exchange(await tokenFor('ada'))
    expect({ status, cookies }).toEqual({ status: 200, cookies: [] })
    expect(body).toMatchObject({ email: 'ada@example.com', role: 'user', token_type: 'Bearer' })
    expect(
      (await world.server.call('GET', '/api/v1/chats/', { token: String(body['token']) })).status,
    ).toBe(200)
    expect(await exchange(await tokenFor('ada'), 'nobody')).toMatchObject({ status: 404 })
  })

  it('row 68: takes no token that was made for another application, nor one that is none', async () => {
    world = await startSingleSignOn({ ENABLE_OAUTH_TOKEN_EXCHANGE: 'true' })
    await world.signIn('ada')
    const foreign = await tokenFor('ada', { id: 'another', secret: 'the secret of another one' })
    expect(await exchange(foreign)).toMatchObject({
      status: 403,
      body: {
        detail:
          'This token was not made for this gateway. Ask the provider for one with its client id.',
      },
    })
    for (const token of ['x', 'x.y.z', 'a b', '\u{1f600}', 'Bearer x', 'x'.repeat(16_384)])
      expect((await exchange(token)).status, token.slice(0, 20)).toBe(400)
  })

  it('row 69: roles, groups and domains hold as at every other sign-in, and accounts are joined by the same rule', async () => {
    world = await startSingleSignOn({
      ENABLE_OAUTH_TOKEN_EXCHANGE: 'true',
      ENABLE_OAUTH_ROLE_MANAGEMENT: 'true',
      OAUTH_ALLOWED_ROLES: 'staff',
      OAUTH_ADMIN_ROLES: 'heads',
    })
    await world.server.signUp('Root')
    world.provider.people['eve'] = {
      email: 'eve@example.com',
      email_verified: true,
      roles: ['heads'],
    }
    await world.signIn('eve')
    world.provider.people['eve']!['roles'] = ['staff']
    expect((await exchange(await tokenFor('eve'))).body).toMatchObject({ role: 'user' })
    world.provider.people['eve']!['roles'] = ['none']
    expect((await exchange(await tokenFor('eve'))).status).toBe(403)
    world.provider.people['eve']!['roles'] = ['staff']
    await world.set({ OAUTH_ALLOWED_DOMAINS: ['example.org'] })
    expect((await exchange(await tokenFor('eve'))).status).toBe(403)
    await world.set({ OAUTH_ALLOWED_DOMAINS: ['*'] })
    world.provider.people['root'] = {
      email: 'root@example.com',
      email_verified: true,
      roles: ['staff'],
    }
    expect((await exchange(await tokenFor('root'))).status).toBe(403)
    await world.set({ OAUTH_MERGE_ACCOUNTS_BY_EMAIL: true })
    expect((await exchange(await tokenFor('root'))).body).toMatchObject({
      email: 'root@example.com',
      role: 'admin',
    })
  })
})

it('where a provider says nothing of tokens, only one that is signed for this gateway is taken', async () => {
  const provider = await startHostileProvider()
  const server = await startTestServer({
    environment: {
      OAUTH_CLIENT_ID: CLIENT.id,
      OPENID_PROVIDER_URL: provider.discoveryUrl,
      ENABLE_OAUTH_TOKEN_EXCHANGE: 'true',
      OAUTH_MERGE_ACCOUNTS_BY_EMAIL: 'true',
      LOG_LEVEL: 'silent',
    },
  })
  await server.signUp('Eve')
  provider.state.answers.set('/me', { sub: 'eve', email: 'eve@example.com', email_verified: true })
  const exp = Math.floor(Date.now() / 1000) + 60
  const status = async (token: string) =>
    (await server.call('POST', '/api/v1/auths/oauth/oidc/token/exchange', { body: { token } }))
      .status
  expect(await status('opaque')).toBe(403)
  expect(
    await status(
      await provider.sign({ iss: provider.url, sub: 'eve', aud: 'api', client_id: 'another', exp }),
    ),
  ).toBe(403)
  expect(
    await status(
      await provider.sign(
        { iss: provider.url, sub: 'eve', aud: CLIENT.id, exp },
        {},
        provider.stranger,
      ),
    ),
  ).toBe(403)
  expect(
    await status(
      await provider.sign({ iss: provider.url, sub: 'eve', aud: 'api', client_id: CLIENT.id, exp }),
    ),
  ).toBe(200)
  await server.close()
  await provider.close()
})
