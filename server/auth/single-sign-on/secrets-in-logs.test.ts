import { expect, it } from 'vitest'
import { startHostileProvider } from '../../testing/start-hostile-provider.ts'
import { CLIENT } from '../../testing/start-open-id-provider.ts'
import { startGatewayProcess } from '../../testing/start-process.ts'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import { TestBrowser } from '../../testing/test-browser.ts'

it('no code, state, token or secret of a sign-in stands in the log at its most talkative, nor in the request log', async () => {
  const provider = await startHostileProvider()
  const secret = 'the-secret-of-the-client-4711'
  const gateway = await startGatewayProcess({
    DATA_DIR: createTemporaryFolder(),
    LOG_LEVEL: 'trace',
    OAUTH_CLIENT_ID: CLIENT.id,
    OAUTH_CLIENT_SECRET: secret,
    OPENID_PROVIDER_URL: provider.discoveryUrl,
    ENABLE_OAUTH_SIGNUP: 'true',
    ENABLE_OAUTH_BACKCHANNEL_LOGOUT: 'true',
    ENABLE_OAUTH_TOKEN_EXCHANGE: 'true',
    ENABLE_REQUEST_LOG_BODIES: 'true',
  })
  let log = ''
  for (const stream of [gateway.child.stdout!, gateway.child.stderr!])
    stream.on('data', (bytes: Buffer) => (log += bytes.toString()))
  const planted = new Set([secret])
  const browser = new TestBrowser({ isPage: false })
  const begin = (await browser.fetch(`${gateway.url}/oauth/oidc/login`)).headers.get('location')!
  provider.state.returned = { code: 'a-code-nobody-may-read' }
  const back = await browser.follow(begin, `${gateway.url}/oauth`)
  const { searchParams } = new URL(back)
  for (const value of [
    searchParams.get('code')!,
    searchParams.get('state')!,
    new URL(begin).searchParams.get('nonce')!,
  ])
    planted.add(value)
  await browser.fetch(back)
  for (const value of browser.cookies.values()) planted.add(value)
  const headers = { Authorization: `Bearer ${browser.cookies.get('token')}` }
  // Every failure that can occur, with secrets in every place.
  await browser.fetch(back)
  provider.state.sign = (claims) => provider.sign(claims, {}, provider.stranger)
  await new TestBrowser().follow(`${gateway.url}/oauth/oidc/login`, `${gateway.url}/auth`)
  provider.state.answers.set(
    '/token',
    (response) =>
      void response
        .writeHead(401)
        .end('{"error":"invalid_client","error_description":"a-code-nobody-may-read"}'),
  )
  await new TestBrowser().follow(`${gateway.url}/oauth/oidc/login`, `${gateway.url}/auth`)
  const forged = await provider.sign({ iss: provider.url, sub: 'x' }, {}, provider.stranger)
  const foreign = await provider.sign({ iss: 'https://elsewhere.example', sub: 'x' })
  for (const logout of [forged, foreign]) {
    planted.add(logout)
    await fetch(`${gateway.url}/oauth/backchannel-logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: logout }),
    })
  }
  const token = 'an-access-token-nobody-may-read'
  planted.add(token)
  await fetch(`${gateway.url}/api/v1/auths/oauth/oidc/token/exchange`, {
    method: 'POST',
    body: JSON.stringify({ token }),
    headers: { 'Content-Type': 'application/json' },
  })
  const listed = await (await fetch(`${gateway.url}/api/v1/requests?limit=100`, { headers })).text()
  expect(listed).toContain('/oauth/oidc/callback')
  const ids = [...listed.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id!)
  const bodies = await Promise.all(
    ids.map(async (id) =>
      (await fetch(`${gateway.url}/api/v1/requests/${id}`, { headers })).text(),
    ),
  )
  await gateway.terminate()
  await provider.close()
  expect(log).toContain('a sign-in with a provider failed')
  // The reason a logout token was refused appears only in the log.
  expect(log).toContain('a logout token was refused')
  expect(log).toContain(
    String.raw`No provider that is set up calls itself \"https://elsewhere.example\"`,
  )
  for (const value of planted) {
    expect(value.length).toBeGreaterThan(10)
    expect(log.includes(value), `${value.slice(0, 30)} in the log`).toBe(false)
    expect(
      [listed, ...bodies].some((text) => text.includes(value)),
      `${value.slice(0, 30)} in the request log`,
    ).toBe(false)
  }
})
