import { afterEach, describe, expect, it } from 'vitest'
import { sessionSchema, type Session } from '#contract/auths.ts'
import {
  ADMIN,
  bearer,
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from '../testing/start-auth-gateway.ts'

let gateway: TestGateway
const start = async (options?: TestGatewayOptions): Promise<TestGateway> =>
  (gateway = await startTestGateway(options))
afterEach(() => gateway.close())

const whoAmI = (session: Session | string) =>
  gateway.call('/api/v1/auths/', { headers: bearer(session) })
const cookieOf = (reply: { headers: { 'set-cookie'?: string[] } }): string =>
  reply.headers['set-cookie']?.[0] ?? ''

describe('sign-up', () => {
  it('makes the first user admin, answers a session and closes sign-up', async () => {
    await start()
    const reply = await gateway.call('/api/v1/auths/signup', { body: ADMIN })
    expect(reply.status).toBe(200)
    const session = sessionSchema.parse(reply.body)
    expect(session).toMatchObject({ role: 'admin', email: ADMIN.email, token_type: 'Bearer' })
    expect(session.profile_image_url).toBe(`/api/v1/users/${session.id}/profile/image`)
    const later = await gateway.call('/api/v1/auths/signup', {
      body: { ...ADMIN, email: 'later@example.org' },
    })
    expect(later.status).toBe(403)
    expect(later.body.detail).toContain('Sign-up is closed')
  })

  it('row 87: 50 parallel first sign-ups make exactly one admin', async () => {
    await start()
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        gateway.call('/api/v1/auths/signup', {
          body: { ...ADMIN, email: `p${index}@example.org` },
        }),
      ),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    // Which of the two refusals is sent depends on when the first account was created.
    expect(replies.filter(({ status }) => status === 403 || status === 429)).toHaveLength(49)
    expect((await gateway.users.list({})).users.map(({ role }) => role)).toEqual(['admin'])
  })

  it('gives later users DEFAULT_USER_ROLE when sign-up is opened again', async () => {
    await start()
    await gateway.signUp()
    await gateway.settings.update({ ENABLE_SIGNUP: true })
    const session = await gateway.signUp({ ...ADMIN, email: 'later@example.org' })
    expect(session.role).toBe('pending')
    expect(session.permissions).toMatchObject({ features: { api_keys: false } })
  })

  it('row 60: takes neither id nor role nor creation time from the caller', async () => {
    await start()
    await gateway.signUp()
    await gateway.settings.update({ ENABLE_SIGNUP: true })
    const body = {
      ...ADMIN,
      email: 'x@example.org',
      id: 'chosen',
      role: 'admin',
      user_id: 'chosen',
      created_at: 1,
      is_first: 1,
    }
    const reply = await gateway.call('/api/v1/auths/signup', { body })
    expect(reply.body).toMatchObject({ role: 'pending' })
    expect(reply.body.id).not.toBe('chosen')
  })

  it('refuses a taken address, a look-alike address and a password that cannot be kept', async () => {
    await start()
    await gateway.signUp()
    await gateway.settings.update({ ENABLE_SIGNUP: true })
    const attempt = (changes: object) =>
      gateway.call('/api/v1/auths/signup', {
        body: { ...ADMIN, email: 'new@example.org', ...changes },
      })
    expect((await attempt({ email: ' ADA@example.org ' })).status).toBe(400)
    for (const email of ['ａda@example.org', 'a@b@example.org', 'no address', 'x'.repeat(300)]) {
      expect([400, 422]).toContain((await attempt({ email })).status)
    }
    expect((await attempt({ password: '   ' })).status).toBe(400)
    expect((await attempt({ password: 'ü'.repeat(600) })).status).toBe(400)
    expect((await attempt({ password: 'ü'.repeat(500) })).status).toBe(200)
  })

  it('row 98: a password or name of one megabyte is refused before hashing', async () => {
    await start()
    const huge = 'x'.repeat(1024 * 1024)
    for (const body of [
      { ...ADMIN, password: huge },
      { ...ADMIN, name: huge },
    ]) {
      expect([400, 413, 422]).toContain(
        (await gateway.call('/api/v1/auths/signup', { body })).status,
      )
      expect([400, 413, 422]).toContain(
        (await gateway.call('/api/v1/auths/signin', { body })).status,
      )
    }
  })

  it('answers 403 to passwords while ENABLE_PASSWORD_AUTH is off', async () => {
    await start({ settings: { ENABLE_PASSWORD_AUTH: false } })
    expect((await gateway.call('/api/v1/auths/signup', { body: ADMIN })).status).toBe(403)
    expect((await gateway.call('/api/v1/auths/signin', { body: ADMIN })).status).toBe(403)
  })

  it('keeps the picture that came along, and makes no account with something that is none', async () => {
    await start()
    const picture = `data:image/png;base64,${Buffer.alloc(900, 7).toString('base64')}`
    const bad = await gateway.call('/api/v1/auths/signup', {
      body: { ...ADMIN, profile_image_url: 'data:image/svg+xml;base64,AAAA' },
    })
    expect([bad.status, await gateway.users.count()]).toEqual([400, 0])
    const admin = (
      await gateway.call('/api/v1/auths/signup', { body: { ...ADMIN, profile_image_url: picture } })
    ).body
    const image = (id: string, accept = 'image/*') =>
      gateway.call(`/api/v1/users/${id}/profile/image`, { headers: { ...bearer(admin), accept } })
    expect((await image(admin.id)).headers['content-type']).toBe('image/png')
    const other = { name: 'Ben', email: 'ben@example.org', password: 'a long password' }
    const add = (profile_image_url: string) =>
      gateway.call('/api/v1/auths/add', {
        body: { ...other, profile_image_url },
        headers: bearer(admin),
      })
    expect((await add('ftp://x')).status).toBe(400)
    const ben = (await add('/user.png')).body
    expect((await image(ben.id)).headers['content-type']).toBe('image/png')
    expect((await image(ben.id, 'image/svg+xml')).headers['content-type']).toContain('svg')
  })

  it('is closed while the form is hidden, which signing in is not: /auth?form=true shows it', async () => {
    await start()
    await gateway.signUp()
    await gateway.settings.update({ ENABLE_LOGIN_FORM: false, ENABLE_SIGNUP: true })
    expect(
      (await gateway.call('/api/v1/auths/signup', { body: { ...ADMIN, email: 'b@example.org' } }))
        .status,
    ).toBe(403)
    expect((await gateway.call('/api/v1/auths/signin', { body: ADMIN })).status).toBe(200)
  })

  it('takes the first account though closed, where ENABLE_INITIAL_ADMIN_SIGNUP says so', async () => {
    await start({ settings: { ENABLE_SIGNUP: false } })
    expect((await gateway.call('/api/v1/auths/signup', { body: ADMIN })).status).toBe(403)
    await gateway.settings.update({ ENABLE_INITIAL_ADMIN_SIGNUP: true, ENABLE_LOGIN_FORM: false })
    expect((await gateway.call('/api/v1/auths/signup', { body: ADMIN })).body.role).toBe('admin')
    expect(
      (await gateway.call('/api/v1/auths/signup', { body: { ...ADMIN, email: 'b@example.org' } }))
        .status,
    ).toBe(403)
  })

  it('wants passwords that fit the rule, where there is one, wherever a new one is set', async () => {
    await start({ settings: { ENABLE_PASSWORD_VALIDATION: true } })
    const good = 'Correct horse 8!'
    for (const password of [
      'Ab1!',
      'no capital 8!',
      'NO SMALL 8!',
      'No digit at all!',
      'No sign at 8',
    ])
      expect(
        (await gateway.call('/api/v1/auths/signup', { body: { ...ADMIN, password } })).body.detail,
      ).toContain('eight characters')
    const admin = (
      await gateway.call('/api/v1/auths/signup', { body: { ...ADMIN, password: good } })
    ).body
    await gateway.settings.update({
      PASSWORD_VALIDATION_REGEX_PATTERN: '^[a-z]{4,}$',
      PASSWORD_VALIDATION_HINT: 'Small letters, please.',
    })
    const headers = bearer(admin)
    const added = { name: 'Ben', email: 'ben@example.org', password: 'Big' }
    expect((await gateway.call('/api/v1/auths/add', { body: added, headers })).body.detail).toBe(
      'Small letters, please.',
    )
    const ben = (
      await gateway.call('/api/v1/auths/add', { body: { ...added, password: 'small' }, headers })
    ).body
    expect(
      (await gateway.call(`/api/v1/users/${ben.id}/update`, { body: { password: 'BIG' }, headers }))
        .status,
    ).toBe(400)
    const change = { password: good, new_password: '1234' }
    expect(
      (await gateway.call('/api/v1/auths/update/password', { body: change, headers })).status,
    ).toBe(400)
    // A user who already has a password can still sign in with it.
    expect(
      (await gateway.call('/api/v1/auths/signin', { body: { ...ADMIN, password: good } })).status,
    ).toBe(200)
  })

  it('ends a rule that takes too long, and one that is none, with a sentence', async () => {
    await start({
      settings: { ENABLE_PASSWORD_VALIDATION: true, PASSWORD_VALIDATION_REGEX_PATTERN: '^(a+)+$' },
    })
    const started = performance.now()
    const slow = await gateway.call('/api/v1/auths/signup', {
      body: { ...ADMIN, password: `${'a'.repeat(60)}!` },
    })
    expect(slow.status).toBe(400)
    expect(performance.now() - started).toBeLessThan(2000)
    await gateway.settings.update({ PASSWORD_VALIDATION_REGEX_PATTERN: '(' })
    expect((await gateway.call('/api/v1/auths/signup', { body: ADMIN })).body.detail).toContain(
      'administrator',
    )
  })
})

describe('sign-in', () => {
  it('answers a session and an HttpOnly, SameSite=Lax cookie named token', async () => {
    await start()
    await gateway.signUp()
    const reply = await gateway.call('/api/v1/auths/signin', {
      body: { ...ADMIN, email: 'Ada@Example.org' },
    })
    const session = sessionSchema.parse(reply.body)
    expect(cookieOf(reply)).toBe(
      `token=${session.token}; Max-Age=2419200; Path=/; HttpOnly; SameSite=Lax`,
    )
    expect(session.expires_at! - Math.floor(Date.now() / 1000)).toBeGreaterThan(27 * 86_400)
    expect((await whoAmI(session)).body).toMatchObject({
      id: session.id,
      token: session.token,
      expires_at: session.expires_at,
    })
  })

  it('marks the cookie Secure when a trusted proxy says the browser came by https', async () => {
    await start()
    await gateway.signUp()
    const options = { body: ADMIN, headers: { 'x-forwarded-proto': 'https' } }
    expect(cookieOf(await gateway.call('/api/v1/auths/signin', options))).toContain('; Secure')
    await gateway.settings.update({ TRUSTED_PROXIES: [] })
    expect(cookieOf(await gateway.call('/api/v1/auths/signin', options))).not.toContain('; Secure')
  })

  it('accepts the same password in another Unicode normal form', async () => {
    await start()
    await gateway.signUp({ ...ADMIN, password: 'Zoë' })
    expect(
      (
        await gateway.call('/api/v1/auths/signin', {
          body: { email: ADMIN.email, password: 'Zoe\u0308' },
        })
      ).status,
    ).toBe(200)
  })

  it('answers alike for an unknown account, a wrong password and an account without password', async () => {
    await start()
    await gateway.signUp()
    await gateway.users.create({ name: 'None', email: 'none@example.org', role: 'user' })
    const details = new Set<string>()
    for (const email of [
      ADMIN.email,
      'nobody@example.org',
      'none@example.org',
      '',
      "' or 1=1 --",
    ]) {
      const reply = await gateway.call('/api/v1/auths/signin', {
        body: { email, password: 'wrong' },
      })
      expect(reply.status).toBe(400)
      details.add(reply.body.detail)
    }
    expect(details.size).toBe(1)
  })

  it('row 70: empty, null, array, object and blank passwords sign nobody in', async () => {
    await start()
    await gateway.signUp()
    for (const password of ['', null, [], {}, ['x'], '   ', true, 0]) {
      const reply = await gateway.call('/api/v1/auths/signin', {
        body: { email: ADMIN.email, password },
      })
      expect([400, 422]).toContain(reply.status)
      expect(reply.headers['set-cookie']).toBeUndefined()
    }
  })

  it('issues a token without end when JWT_EXPIRES_IN is -1', async () => {
    await start({ settings: { JWT_EXPIRES_IN: '-1' } })
    const session = await gateway.signUp()
    expect(session.expires_at).toBeNull()
    expect((await whoAmI(session)).status).toBe(200)
    await gateway.settings.update({ JWT_EXPIRES_IN: '4w' })
    expect((await whoAmI(session)).status).toBe(401)
  })

  it('15 wrong tries lead to 429 with Retry-After, except where the account was signed in to before', async () => {
    await start()
    await gateway.signUp()
    const attempt = (password: string, address: string) =>
      gateway.call('/api/v1/auths/signin', {
        body: { email: ADMIN.email, password },
        headers: { 'x-forwarded-for': address },
      })
    expect((await attempt(ADMIN.password, '192.0.2.9')).status).toBe(200)
    for (let index = 0; index < 15; index += 1)
      expect((await attempt('wrong', `192.0.2.${index % 3}`)).status).toBe(400)
    const refused = await attempt(ADMIN.password, '192.0.2.4')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await attempt(ADMIN.password, '192.0.2.9')).status).toBe(200)
  })

  it('evaluates at most 15 of many parallel guesses of one address', async () => {
    await start()
    await gateway.signUp()
    const replies = await Promise.all(
      Array.from({ length: 200 }, () =>
        gateway.call('/api/v1/auths/signin', { body: { email: ADMIN.email, password: 'guess' } }),
      ),
    )
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(15)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(185)
  })
})

describe('the own account and those of others', () => {
  it('changes the name', async () => {
    await start()
    const session = await gateway.signUp()
    const reply = await gateway.call('/api/v1/auths/update/profile', {
      body: { name: ' Countess ' },
      headers: bearer(session),
    })
    expect(reply.body).toMatchObject({ name: 'Countess', id: session.id })
    expect((await whoAmI(session)).body.name).toBe('Countess')
  })

  it('an administrator adds an account and gets its session, without losing the own cookie', async () => {
    await start()
    const admin = await gateway.signUp()
    const body = { name: 'Bo', email: 'bo@example.org', password: 'pw of bo' }
    const reply = await gateway.call('/api/v1/auths/add', { body, headers: bearer(admin) })
    expect(sessionSchema.parse(reply.body).role).toBe('pending')
    expect(reply.headers['set-cookie']).toBeUndefined()
    expect((await gateway.call('/api/v1/auths/add', { body, headers: bearer(admin) })).status).toBe(
      400,
    )
  })

  it('reads and changes the sign-in settings and ignores fields it does not know', async () => {
    await start()
    const admin = await gateway.signUp()
    const config = (await gateway.call('/api/v1/auths/admin/config', { headers: bearer(admin) }))
      .body
    expect(config).toMatchObject({
      ENABLE_SIGNUP: false,
      DEFAULT_USER_ROLE: 'pending',
      API_KEYS_ALLOWED_ENDPOINTS: '',
    })
    const body = {
      ...config,
      ENABLE_SIGNUP: true,
      API_KEYS_ALLOWED_ENDPOINTS: '/api/models, /api/v1/chats/',
      ENABLE_CALENDAR: true,
    }
    const reply = await gateway.call('/api/v1/auths/admin/config', { body, headers: bearer(admin) })
    expect(reply.body).toMatchObject({
      ENABLE_SIGNUP: true,
      API_KEYS_ALLOWED_ENDPOINTS: '/api/models,/api/v1/chats/',
    })
    const bad = await gateway.call('/api/v1/auths/admin/config', {
      body: { WEBUI_URL: 'ftp://x' },
      headers: bearer(admin),
    })
    expect(bad.status).toBe(400)
  })
})
