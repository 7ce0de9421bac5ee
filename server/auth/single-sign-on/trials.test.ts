import { mapInOrder } from '../../lib/in-order.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { OAuthTest } from '#contract/oauth.ts'
import { startHostileProvider } from '../../testing/start-hostile-provider.ts'
import { startSingleSignOn, type SingleSignOnWorld } from '../../testing/start-single-sign-on.ts'
import { TestBrowser } from '../../testing/test-browser.ts'

let world: SingleSignOnWorld
let root: string
afterEach(async () => {
  vi.useRealTimers()
  await world.close()
})

async function start(environment: Record<string, string> = {}): Promise<void> {
  world = await startSingleSignOn(environment)
  root = await world.server.signUp('Root')
}

const PATH = '/api/v1/auths/admin/oauth'
async function begin(
  browser: TestBrowser,
  body: object = {},
  provider = 'oidc',
): Promise<OAuthTest & { url: string | null }> {
  const headers = { Authorization: `Bearer ${root}`, 'Content-Type': 'application/json' }
  const reply = await browser.fetch(`${world.server.url}${PATH}/${provider}/tests`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers,
  })
  return (await reply.json()) as OAuthTest & { url: string | null }
}
const read = async (id: string, token = root) => {
  const reply = await world.server.call('GET', `${PATH}/tests/${id}`, { token })
  return { status: reply.status, body: (await reply.json()) as OAuthTest }
}
/** Runs a whole trial as the given person. */
async function run(person = 'ada', body: object = {}): Promise<OAuthTest & { end: URL }> {
  world.provider.state.person = person
  const browser = new TestBrowser()
  const { url, id } = await begin(browser, body)
  const back = await browser.follow(url!, `${world.server.url}/oauth`)
  const end = new URL((await browser.fetch(back)).headers.get('location')!)
  expect(browser.cookies.has('token')).toBe(false)
  return { ...(await read(id)).body, end }
}
const failed = ({ steps }: OAuthTest) => steps.find(({ state }) => state === 'failed')
const everything = async () => {
  const { storage } = world.server.context
  const read = (table: string) => storage.prepare(`select * from "${table}"`).all()
  return JSON.stringify(
    await mapInOrder(
      [
        'user',
        'user_group',
        'user_group_member',
        'user_session',
        'oauth_identity',
        'oauth_session',
        'user_profile',
      ],
      read,
    ),
  ).replaceAll(/"(last_active_at|last_used_at)":(null|\d+)/g, '')
}

describe('a sign-in for trial', () => {
  it('shows the raw claims, which rules matched, and what role and groups would result, and changes nothing', async () => {
    await start({
      ENABLE_OAUTH_ROLE_MANAGEMENT: 'true',
      OAUTH_ADMIN_ROLES: 'heads',
      OAUTH_ALLOWED_ROLES: 'staff',
      ENABLE_OAUTH_GROUP_MANAGEMENT: 'true',
      ENABLE_OAUTH_GROUP_CREATION: 'true',
      OAUTH_BLOCKED_GROUPS: '["secret*"]',
    })
    world.provider.people['ada'] = {
      email: 'ada@example.com',
      email_verified: true,
      name: 'Ada',
      roles: ['x', 'heads'],
      groups: ['physics', 'secret society'],
    }
    const before = await everything()
    const trial = await run('ada', { return_to: '/admin/sign-in?tab=test' })
    expect(await everything()).toBe(before)
    expect(trial.end.pathname + trial.end.search).toBe(
      `/admin/sign-in?tab=test&oauth_test=${trial.id}`,
    )
    expect(trial).toMatchObject({
      state: 'passed',
      issuer: world.provider.url,
      redirect_uri: `${world.server.url}/oauth/oidc/callback`,
      claims: {
        sub: 'ada',
        email: 'ada@example.com',
        roles: ['x', 'heads'],
        groups: ['physics', 'secret society'],
      },
      result: {
        outcome: 'created',
        email: 'ada@example.com',
        email_verified: true,
        name: 'Ada',
        role: {
          role: 'admin',
          rule: 'admin_roles',
          claim: 'roles',
          found: ['x', 'heads'],
          matched: ['heads'],
          before: null,
        },
        groups: {
          groups: ['physics'],
          joined: ['physics'],
          created: ['physics'],
          blocked: ['secret society'],
        },
      },
    })
    expect(trial.steps.map(({ step, state }) => `${step} ${state}`)).toEqual([
      'settings passed',
      'discovery passed',
      'authorization passed',
      'callback passed',
      'token passed',
      'id_token passed',
      'userinfo passed',
      'claims passed',
      'account passed',
    ])
  })

  it('says of a known account what would change, and of a refused one why', async () => {
    await start({ ENABLE_OAUTH_ROLE_MANAGEMENT: 'true', OAUTH_ALLOWED_ROLES: 'staff' })
    world.provider.people['ada']!['roles'] = ['staff']
    await world.signIn('ada')
    expect((await run()).result).toMatchObject({
      outcome: 'known',
      role: { role: 'user', before: 'user', rule: 'allowed_roles' },
    })
    world.provider.people['ada']!['roles'] = ['other']
    const refused = await run()
    expect(refused).toMatchObject({
      state: 'failed',
      result: { outcome: 'refused', role: { role: null, rule: 'not_allowed', found: ['other'] } },
    })
    expect(failed(refused)).toMatchObject({
      step: 'account',
      settings: ['OAUTH_ALLOWED_ROLES', 'OAUTH_ADMIN_ROLES', 'OAUTH_ROLES_CLAIM'],
    })
    await world.set({ ENABLE_OAUTH_ROLE_MANAGEMENT: false, ENABLE_OAUTH_SIGNUP: false })
    expect(failed(await run('eve'))).toMatchObject({ step: 'claims' })
    world.provider.people['eve'] = { email: 'eve@example.com' }
    expect(failed(await run('eve'))).toMatchObject({
      step: 'account',
      remedy: 'Switch ENABLE_OAUTH_SIGNUP on, so that the first sign-in makes an account.',
    })
  })

  it('wrong on purpose: the secret', async () => {
    await start()
    await world.set({ OAUTH_CLIENT_SECRET: 'wrong' })
    expect(failed(await run())).toMatchObject({
      step: 'token',
      remedy:
        'The provider does not accept client id or secret. Copy both anew from the provider; the secret may have ended.',
      settings: ['OAUTH_CLIENT_ID', 'OAUTH_CLIENT_SECRET'],
    })
  })

  it('wrong on purpose: the redirect address, of which the provider says so itself and never sends the browser back', async () => {
    await start()
    const unregistered = 'https://chat.example/oauth/oidc/callback'
    const misspelt = `${world.server.url}/oauth/oidc/wrong`
    for (const [address, remedy] of [
      [
        unregistered,
        `If the page of the provider speaks of a redirect address, register ${unregistered} there, letter by letter. If it does not know the client, check the client id.`,
      ],
      [
        misspelt,
        `The redirect address ${misspelt} is not one the gateway takes people back at: leave OPENID_REDIRECT_URI empty, or let it end in /oauth/oidc/callback.`,
      ],
    ] as const) {
      await world.set({ OPENID_REDIRECT_URI: address })
      const browser = new TestBrowser()
      const { url, id, redirect_uri } = await begin(browser)
      expect(redirect_uri).toBe(address)
      expect((await browser.fetch(url!)).status).toBe(400)
      const { body } = await read(id)
      expect(body.state).toBe('waiting')
      expect(body.steps.find(({ step }) => step === 'authorization')).toMatchObject({
        state: 'waiting',
        remedy,
        settings: ['OPENID_REDIRECT_URI', 'WEBUI_URL', 'OAUTH_CLIENT_ID'],
      })
    }
  })

  it('wrong on purpose: the claim', async () => {
    await start({ OAUTH_EMAIL_CLAIM: 'mail' })
    const trial = await run()
    expect(failed(trial)).toMatchObject({
      step: 'claims',
      detail: 'The claim mail is missing.',
      settings: ['OAUTH_EMAIL_CLAIM', 'OAUTH_SCOPES'],
    })
    expect(trial.claims).toMatchObject({ email: 'ada@example.com' })
  })

  it('wrong on purpose: the claims of roles and groups, which lets people in, but not as it is meant', async () => {
    await start({
      ENABLE_OAUTH_ROLE_MANAGEMENT: 'true',
      OAUTH_ROLES_CLAIM: 'realm_access.roles',
      ENABLE_OAUTH_GROUP_MANAGEMENT: 'true',
      OAUTH_GROUP_CLAIM: 'teams',
    })
    const claimsOf = ({ steps }: OAuthTest) => steps.find(({ step }) => step === 'claims')
    const trial = await run()
    expect(trial).toMatchObject({
      state: 'passed',
      result: { role: { rule: 'default', found: null } },
    })
    expect(claimsOf(trial)).toMatchObject({
      state: 'warning',
      detail:
        'The claim realm_access.roles is missing, or holds neither a list nor a text. The claim teams is missing, or holds neither a list nor a text.',
      settings: ['OAUTH_ROLES_CLAIM', 'OAUTH_GROUP_CLAIM'],
    })
    world.provider.people['ada'] = {
      ...world.provider.people['ada'],
      roles: ['staff'],
      groups: ['physics'],
    }
    await world.set({
      OAUTH_ROLES_CLAIM: 'roles',
      OAUTH_GROUP_CLAIM: 'groups',
      OAUTH_ALLOWED_ROLES: [],
      OAUTH_ADMIN_ROLES: [],
    })
    expect(claimsOf(await run())).toMatchObject({
      state: 'warning',
      settings: ['OAUTH_ALLOWED_ROLES', 'OAUTH_ADMIN_ROLES'],
    })
    await world.set({ OAUTH_ALLOWED_ROLES: ['staff'] })
    expect(claimsOf(await run())).toMatchObject({ state: 'passed' })
  })

  it('wrong on purpose: the clock', async () => {
    await start()
    const provider = await startHostileProvider()
    await world.set({ OPENID_PROVIDER_URL: provider.discoveryUrl })
    for (const seconds of [-3600, 3600]) {
      const now = Math.floor(Date.now() / 1000) + seconds
      provider.state.claims = { iat: now, exp: now + 600 }
      const trial = await run()
      expect(trial.steps.find(({ step }) => step === 'token')).toMatchObject({ state: 'passed' })
      expect(failed(trial)).toMatchObject({
        step: 'id_token',
        detail: expect.stringMatching(
          seconds < 0
            ? /the token was made 360\d seconds ago/
            : /was made (3599|3600) seconds from now/,
        ),
        remedy:
          'The clocks of gateway and provider differ by more than a minute. Set both by a time server.',
      })
    }
    await provider.close()
  })

  it('wrong on purpose: the issuer', async () => {
    await start()
    await world.set({
      OPENID_PROVIDER_URL: `${world.provider.url.replace('127.0.0.1', 'localhost')}/.well-known/openid-configuration`,
    })
    const trial = await begin(new TestBrowser())
    expect(trial).toMatchObject({ state: 'failed', url: null })
    expect(failed(trial)).toMatchObject({
      step: 'discovery',
      remedy: `Use the address ${world.provider.discoveryUrl}, if that is the provider that is meant.`,
      settings: ['OPENID_PROVIDER_URL'],
    })
  })

  it('says what is missing, what cannot be reached, and that the person refused', async () => {
    await start()
    expect(failed(await begin(new TestBrowser(), {}, 'idpb'))).toMatchObject({
      step: 'settings',
      settings: ['IDPB_CLIENT_ID', 'IDPB_CLIENT_SECRET', 'IDPB_CLIENT_TENANT_ID'],
    })
    await world.set({ OPENID_PROVIDER_URL: 'http://127.0.0.1:2' })
    expect(failed(await begin(new TestBrowser()))).toMatchObject({
      step: 'discovery',
      remedy:
        'Nothing answers at this address. Check its host and port, and whether the provider runs.',
    })
    await world.set({ OPENID_PROVIDER_URL: `${world.provider.url}/realms/unknown` })
    expect(failed(await begin(new TestBrowser()))).toMatchObject({
      step: 'discovery',
      detail: expect.stringContaining(
        `${world.provider.url}/realms/unknown/.well-known/openid-configuration answered with the status 404`,
      ),
      remedy: expect.stringContaining('such as the name of the realm'),
    })
    await world.set({
      OPENID_PROVIDER_URL: 'http://provider.example/.well-known/openid-configuration',
    })
    expect(failed(await begin(new TestBrowser()))).toMatchObject({
      step: 'discovery',
      remedy: 'Use the https address of the provider.',
    })
    await world.set({ OPENID_PROVIDER_URL: world.provider.discoveryUrl })
    expect(failed(await run(''))).toMatchObject({
      step: 'authorization',
      detail: 'The provider answered "access_denied".',
    })
  })

  it('is for the administrator alone who began it, and is kept for half an hour', async () => {
    await start()
    const { id } = await begin(new TestBrowser())
    const body = {
      name: 'Second',
      email: 'second@example.com',
      password: 'a password of hers',
      role: 'admin',
    }
    const second = (await (
      await world.server.call('POST', '/api/v1/auths/add', { token: root, body })
    ).json()) as { token: string }
    expect((await read(id, second.token)).status).toBe(404)
    expect((await read(id)).status).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_801_000 })
    await begin(new TestBrowser())
    expect((await read(id)).status).toBe(404)
  })

  it('leads nowhere but to a path of its own', async () => {
    await start()
    for (const return_to of ['//evil.example', 'https://evil.example', '/\\evil.example']) {
      const { end } = await run('ada', { return_to })
      expect([end.origin, end.pathname]).toEqual([world.server.url, '/admin/settings'])
    }
  })

  it('shows administrators what is set up, and no secret', async () => {
    await start({ IDPA_CLIENT_ID: 'x', ENABLE_OAUTH_BACKCHANNEL_LOGOUT: 'true' })
    const reply = await world.server.call('GET', `${PATH}/providers`, { token: root })
    const text = await reply.text()
    expect(text).not.toContain('the secret of the gateway')
    expect(JSON.parse(text)).toMatchObject({
      is_editable: true,
      providers: [
        { id: 'idpa', is_configured: false, missing: ['IDPA_CLIENT_SECRET'] },
        { id: 'idpb', is_configured: false, missing: [] },
        {
          id: 'idpc',
          is_configured: false,
          missing: [],
          discovery_url: null,
          backchannel_logout_uri: null,
        },
        {
          id: 'oidc',
          name: 'SSO',
          is_configured: true,
          redirect_uri: `${world.server.url}/oauth/oidc/callback`,
          backchannel_logout_uri: `${world.server.url}/oauth/backchannel-logout`,
        },
      ],
    })
  })
})
