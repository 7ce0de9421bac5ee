import { afterEach, describe, expect, it } from 'vitest'
import { startSingleSignOn, type SingleSignOnWorld } from '../../testing/start-single-sign-on.ts'
import { TestBrowser } from '../../testing/test-browser.ts'

let world: SingleSignOnWorld
afterEach(() => world.close())

const errorOf = (url: URL): string | null => url.searchParams.get('error')

describe('a callback that is not right ends on the sign-in page with a sentence, and signs nobody in', () => {
  const begin = async (browser: TestBrowser, provider = 'oidc'): Promise<string> =>
    browser.follow(
      (await browser.fetch(`${world.server.url}/oauth/${provider}/login`)).headers.get('location')!,
      `${world.server.url}/oauth/`,
    )
  const finish = async (browser: TestBrowser, url: string): Promise<string | null> =>
    errorOf(new URL(await browser.follow(url, `${world.server.url}/auth`)))

  it('refused and cancelled at the provider', async () => {
    world = await startSingleSignOn()
    expect(errorOf(await world.signIn(''))).toBe('The sign-in with SSO was cancelled.')
  })

  it('played again, by the same browser and with a new state', async () => {
    world = await startSingleSignOn()
    const browser = new TestBrowser()
    const url = await begin(browser)
    const kept = new Map(browser.cookies)
    expect(await finish(browser, url)).toBeNull()
    expect(await finish(browser, url)).toBe(
      'This sign-in was not begun here, or it took too long. Begin it again.',
    )
    for (const [name, value] of kept) browser.cookies.set(name, value)
    expect(await finish(browser, url)).toBe('This sign-in was finished before. Begin it again.')
    // The code alone, returned with the attacker's own sign-in.
    const other = new TestBrowser()
    const state = new URL(await begin(other)).searchParams.get('state')!
    const code = new URL(url).searchParams.get('code')!
    const iss = encodeURIComponent(world.provider.url)
    expect(
      await finish(
        other,
        `${world.server.url}/oauth/oidc/callback?code=${code}&state=${state}&iss=${iss}`,
      ),
    ).toBe('SSO did not accept the sign-in. Try again, or tell an administrator.')
  })

  it('login CSRF: brought back by another browser than the one that began', async () => {
    world = await startSingleSignOn()
    const attacker = new TestBrowser()
    const url = await begin(attacker)
    const victim = new TestBrowser()
    expect(await finish(victim, url)).toBe(
      'This sign-in was not begun here, or it took too long. Begin it again.',
    )
    expect([...victim.cookies.keys()]).toEqual([])
    // Nor with the victim's own sign-in.
    await begin(victim)
    expect(await finish(victim, url)).not.toBeNull()
    expect(victim.cookies.has('token')).toBe(false)
  })

  it('code injection: the code of another person does not fit the verifier and the nonce of this sign-in', async () => {
    world = await startSingleSignOn()
    world.provider.people['eve'] = { email: 'eve@example.com' }
    const victim = new TestBrowser()
    const stolen = new URL(await begin(victim)).searchParams.get('code')!
    world.provider.state.person = 'eve'
    const attacker = new TestBrowser()
    const own = new URL(await begin(attacker))
    own.searchParams.set('code', stolen)
    expect(await finish(attacker, own.href)).toBe(
      'SSO did not accept the sign-in. Try again, or tell an administrator.',
    )
    expect(attacker.cookies.has('token')).toBe(false)
  })

  it('changed, missing, doubled and foreign parts', async () => {
    world = await startSingleSignOn()
    const changes: ((url: URL) => void)[] = [
      (url) => url.searchParams.set('state', 'x'),
      (url) => url.searchParams.delete('state'),
      (url) => url.searchParams.append('state', 'x'),
      (url) => url.searchParams.delete('code'),
      (url) => url.searchParams.set('code', ''),
      (url) => url.searchParams.set('code', 'x'),
      (url) => url.searchParams.append('code', 'x'),
      (url) => url.searchParams.set('iss', 'https://evil.example'),
      (url) => url.searchParams.delete('iss'),
      (url) => url.searchParams.set('error', '<script>alert(1)</script>'),
      (url) => void (url.pathname = '/oauth/idpa/callback'),
    ]
    await world.set({
      IDPA_CLIENT_ID: 'gateway',
      IDPA_CLIENT_SECRET: 'the secret of the gateway',
      IDPA_PROVIDER_URL: world.provider.discoveryUrl,
    })
    for (const change of changes) {
      const browser = new TestBrowser()
      const url = new URL(await begin(browser))
      change(url)
      const error = await finish(browser, url.href)
      expect(error, change.toString()).not.toBeNull()
      expect(error).not.toMatch(/script|evil/)
      expect(browser.cookies.has('token'), change.toString()).toBe(false)
    }
    expect(await world.server.context.users.count()).toBe(0)
  })

  it('a cookie that was changed, moved or kept for too long', async () => {
    world = await startSingleSignOn()
    const browser = new TestBrowser()
    const url = await begin(browser)
    const [name, value] = [...browser.cookies].find(([each]) => each.startsWith('oauth_state_'))!
    for (const changed of [
      '',
      'x',
      value.slice(0, -2) + (value.endsWith('A') ? 'BB' : 'AA'),
      `${value}x`,
    ]) {
      browser.cookies.set(name, changed)
      expect(await finish(browser, url)).not.toBeNull()
    }
    const other = new TestBrowser()
    const otherUrl = await begin(other)
    const otherName = [...other.cookies.keys()].find((each) => each.startsWith('oauth_state_'))!
    other.cookies.set(otherName, value)
    expect(await finish(other, otherUrl)).not.toBeNull()
  })

  it('a provider that does not answer, or is not there', async () => {
    world = await startSingleSignOn({ OAUTH_TIMEOUT: '1' })
    const browser = new TestBrowser()
    const url = await begin(browser)
    world.provider.state.isSilent = true
    expect(await finish(browser, url)).toBe(
      'SSO did not accept the sign-in. Try again, or tell an administrator.',
    )
    await world.set({ OPENID_PROVIDER_URL: 'http://127.0.0.1:9/.well-known/openid-configuration' })
    const gone = new URL(
      await new TestBrowser().follow(
        `${world.server.url}/oauth/oidc/login`,
        `${world.server.url}/auth`,
      ),
    )
    expect(errorOf(gone)).toBe(
      'SSO cannot be reached right now. Try again later, or tell an administrator.',
    )
  })
})
