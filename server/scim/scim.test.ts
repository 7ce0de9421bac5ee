import { describe, expect, it, onTestFinished } from 'vitest'
import { SCIM_SCHEMAS } from '#contract/scim.ts'
import { startTestServer } from '../testing/start-server.ts'
import { SCIM_ROOT, SCIM_TOKEN, type ScimReply, useScim } from '../testing/use-scim.ts'

const { server, admin, call, addUser, patch, filterUsers } = useScim()

describe('who may provision', () => {
  it('is whoever has the token, and nobody else', async () => {
    for (const token of ['wrong', admin(), `${SCIM_TOKEN}x`])
      expect([token, (await call('GET', '/Users', undefined, token)).status]).toEqual([token, 401])
    const refused = await fetch(`${server().url}${SCIM_ROOT}/Users`)
    expect(refused.status).toBe(401)
    expect(await refused.json()).toEqual({
      schemas: [SCIM_SCHEMAS.error],
      status: '401',
      detail: 'Not authenticated',
    })
    for (const path of ['/api/v1/users/', '/api/models', '/api/v1/auths/'])
      expect([path, (await server().call('GET', path, { token: SCIM_TOKEN })).status]).toEqual([
        path,
        401,
      ])
    expect((await call('GET', '/Users')).headers.get('content-type')).toBe(
      'application/scim+json; charset=utf-8',
    )
  })

  it('is nobody while it is switched off or has no token', async () => {
    const environments: Record<string, string>[] = [{ SCIM_TOKEN }, { ENABLE_SCIM: 'true' }]
    for (const environment of environments) {
      const other = await startTestServer({ environment })
      onTestFinished(() => other.close())
      const ask = (headers: Record<string, string>) =>
        other.call('GET', `${SCIM_ROOT}/Users`, { headers })
      const status = 'ENABLE_SCIM' in environment ? 401 : 403
      expect((await ask({ Authorization: `Bearer ${SCIM_TOKEN}` })).status).toBe(status)
      expect((await ask({ Authorization: 'Bearer ' })).status).toBe(status)
      expect((await ask({})).status).toBe(status)
    }
  })

  it('never makes the account of the administrator', async () => {
    const other = await startTestServer({ environment: { ENABLE_SCIM: 'true', SCIM_TOKEN } })
    onTestFinished(() => other.close())
    const made = await other.call('POST', `${SCIM_ROOT}/Users`, {
      token: SCIM_TOKEN,
      body: { userName: 'ada@example.org' },
    })
    expect(made.status).toBe(403)
    expect(await other.context.users.count()).toBe(0)
  })

  it('keeps its token out of the settings page', async () => {
    const settings = await (
      await server().call('GET', '/api/v1/settings', { token: admin() })
    ).text()
    expect(settings).toContain('SCIM_TOKEN')
    expect(settings).not.toContain(SCIM_TOKEN)
  })
})

describe('what is supported', () => {
  it('is told as the RFCs have it', async () => {
    const { body } = await call('GET', '/ServiceProviderConfig')
    expect(body).toMatchObject({
      schemas: [SCIM_SCHEMAS.serviceProviderConfig],
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
    })
    const types = (await call('GET', '/ResourceTypes')).body
    expect(
      types.Resources.map(({ id, endpoint, schema }: Record<string, string>) => [
        id,
        endpoint,
        schema,
      ]),
    ).toEqual([
      ['User', '/Users', SCIM_SCHEMAS.user],
      ['Group', '/Groups', SCIM_SCHEMAS.group],
    ])
    expect((await call('GET', '/ResourceTypes/User')).body).toEqual(types.Resources[0])
    const schemas = (await call('GET', '/Schemas')).body
    expect(schemas).toMatchObject({ schemas: [SCIM_SCHEMAS.list], totalResults: 2 })
    expect((await call('GET', `/Schemas/${SCIM_SCHEMAS.group}`)).body).toEqual(schemas.Resources[1])
    for (const path of ['/Schemas/none', '/ResourceTypes/none', '/Bulk', '/Me'])
      expect([path, (await call('GET', path)).body]).toMatchObject([
        path,
        { schemas: [SCIM_SCHEMAS.error], status: '404' },
      ])
  })
})

describe('accounts', () => {
  it('are made with a name, an address and an id of the directory, and can be used at once', async () => {
    const made = await call('POST', '/Users', {
      schemas: [SCIM_SCHEMAS.user],
      externalId: 'entra-1',
      userName: 'ada',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [
        { value: 'private@example.org', type: 'home' },
        { value: 'Ada@Example.org', type: 'work', primary: true },
      ],
      active: true,
      password: 'ignored password',
    })
    expect(made.status).toBe(201)
    const location = `https://chat.example.org/chat${SCIM_ROOT}/Users/${made.body.id}`
    expect(made.headers.get('location')).toBe(location)
    expect(made.body).toMatchObject({
      schemas: [SCIM_SCHEMAS.user],
      externalId: 'entra-1',
      userName: 'ada',
      displayName: 'Ada Lovelace',
      name: { formatted: 'Ada Lovelace', givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ value: 'ada@example.org', type: 'work', primary: true }],
      active: true,
      groups: [],
      meta: { resourceType: 'User', location },
    })
    const user = (await server().context.users.get(made.body.id))!
    expect(user).toMatchObject({ role: 'user', email: 'ada@example.org' })
    expect(await server().context.users.hasPassword(user.id)).toBe(false)
    expect((await call('GET', `/Users/${user.id}`)).body).toEqual(made.body)
  })

  it('have one name each, and tell of one that is taken', async () => {
    const value = `${'a'.repeat(60)}@${'b'.repeat(150)}.example`
    expect(await addUser({ emails: [{ value }] })).toMatchObject({ emails: [{ value }] })
    const { userName, id } = await addUser({ externalId: 'taken-1' })
    for (const body of [
      { userName },
      { userName: userName.toUpperCase() },
      { userName: 'other', emails: [{ value: userName }] },
      { userName: 'other@example.org', externalId: 'taken-1' },
    ])
      expect([body, (await call('POST', '/Users', body)).body]).toMatchObject([
        body,
        { status: '409', scimType: 'uniqueness' },
      ])
    const other = await addUser()
    expect((await call('PUT', `/Users/${other.id}`, { userName })).status).toBe(409)
    expect((await call('GET', `/Users/${id}`)).body.userName).toBe(userName)
    expect(await server().context.users.findByEmail('other@example.org')).toBeNull()
  })

  it('that the gateway has already are found and taken over', async () => {
    const [id] = await filterUsers('userName eq "ROOT@example.com"')
    expect(id).toBe((await server().context.users.first())!.id)
    expect(
      (await patch(`/Users/${id}`, { op: 'add', path: 'externalId', value: 'root-1' })).body,
    ).toMatchObject({
      externalId: 'root-1',
      userName: 'root@example.com',
      active: true,
    })
    expect((await server().context.users.get(id!))!.role).toBe('admin')
  })

  it('are switched off and on again, and every session ends with it', async () => {
    const { id } = await addUser()
    const { users, auth } = server().context
    await users.update(id, { passwordHash: await users.hashPassword('correct horse battery') })
    const email = (await users.get(id))!.email
    const signIn = async (): Promise<string> =>
      (
        (await (
          await server().call('POST', '/api/v1/auths/signin', {
            body: { email, password: 'correct horse battery' },
          })
        ).json()) as {
          token: string
        }
      ).token
    const token = await signIn()
    const live = await auth.liveCallers.byToken(token, {
      headers: {},
      rawHeaders: [],
      socket: {},
    } as never)
    expect(
      (await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })).body.active,
    ).toBe(false)
    expect([(await users.get(id))!.role, await live!.isValid()]).toEqual(['pending', false])
    expect((await server().call('GET', '/api/models', { token })).status).toBe(401)
    expect(
      (await patch(`/Users/${id}`, { op: 'replace', value: { active: true } })).body.active,
    ).toBe(true)
    expect((await users.get(id))!.role).toBe('user')
    expect((await server().call('GET', '/api/models', { token })).status).toBe(401)
  })

  it('are replaced as a whole', async () => {
    const { id } = await addUser({ displayName: 'Before', externalId: 'before' })
    const after = await call('PUT', `/Users/${id}`, {
      userName: 'after@example.org',
      name: { formatted: 'After' },
    })
    expect(after.body).toMatchObject({
      userName: 'after@example.org',
      displayName: 'After',
      emails: [{ value: 'after@example.org' }],
    })
    expect(after.body).not.toHaveProperty('externalId')
  })

  it('are changed in parts, as the large directories write it', async () => {
    const { id } = await addUser()
    const path = `/Users/${id}`
    expect(
      (await patch(path, { op: 'replace', path: 'displayName', value: 'Grace Hopper' })).body.name
        .familyName,
    ).toBe('Hopper')
    expect(
      (await patch(path, { op: 'Replace', path: 'name.givenName', value: 'Amazing' })).body
        .displayName,
    ).toBe('Amazing Hopper')
    expect(
      (
        await patch(path, {
          op: 'Add',
          path: 'emails[type eq "work"].value',
          value: 'Grace@example.org',
        })
      ).body.emails[0].value,
    ).toBe('grace@example.org')
    const urn = `${SCIM_SCHEMAS.user}:externalId`
    const many = await patch(
      path,
      { op: 'add', path: urn, value: 'grace' },
      {
        op: 'add',
        value: {
          'name.formatted': 'Grace B. Hopper',
          title: 'Admiral',
          'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': {},
        },
      },
      { op: 'add', path: 'phoneNumbers[type eq "work"].value', value: '555' },
      { op: 'remove', path: 'nickName' },
    )
    expect(many.body).toMatchObject({ externalId: 'grace', displayName: 'Grace B. Hopper' })
    expect(many.body).not.toHaveProperty('phoneNumbers')
    // An account whose name is its e-mail address keeps the two equal.
    const plain = await addUser()
    expect(
      (
        await patch(`/Users/${plain.id}`, {
          op: 'replace',
          path: 'userName',
          value: 'moved@example.org',
        })
      ).body.emails[0].value,
    ).toBe('moved@example.org')
  })

  it('are deleted with everything they own; the first administrator stays', async () => {
    const { id, userName } = await addUser({ externalId: 'leaver' })
    expect(await call('DELETE', `/Users/${id}`)).toMatchObject({ status: 204, body: null })
    expect((await call('GET', `/Users/${id}`)).status).toBe(404)
    expect((await call('POST', '/Users', { userName, externalId: 'leaver' })).status).toBe(201)
    const root = (await server().context.users.first())!.id
    for (const reply of [
      await call('DELETE', `/Users/${root}`),
      await patch(`/Users/${root}`, { op: 'replace', path: 'active', value: false }),
    ])
      expect(reply.body).toMatchObject({ schemas: [SCIM_SCHEMAS.error], status: '403' })
  })

  it('are found by filters, a page at a time', async () => {
    const [one, two] = [
      await addUser({ externalId: 'Find-1', displayName: 'Zed One' }),
      await addUser({ displayName: 'Zed Two' }),
    ]
    expect(await filterUsers(`id eq "${one.id}"`)).toEqual([one.id])
    expect(await filterUsers('externalId eq "Find-1"')).toEqual([one.id])
    expect(await filterUsers('externalId eq "find-1"')).toEqual([])
    expect(await filterUsers('displayName sw "zed" and not (externalId pr)')).toEqual([two.id])
    expect(
      await filterUsers(
        `emails[type eq "work" and value eq "${two.userName}"] or USERNAME eq "${one.userName}"`,
      ),
    ).toEqual([one.id, two.id])
    const byWork = (type: string): string =>
      `emails[type eq "${type}"].value eq "${two.userName}" and active eq true`
    expect(await filterUsers(byWork('work'))).toEqual([two.id])
    expect(await filterUsers(byWork('home'))).toEqual([])
    expect(await filterUsers(`emails.value co "${one.userName}" and active eq true`)).toEqual([
      one.id,
    ])
    expect(await filterUsers(`${SCIM_SCHEMAS.user}:displayName eq "ZED TWO"`)).toEqual([two.id])
    expect(await filterUsers('meta.created lt "2001-01-01T00:00:00Z"')).toEqual([])
    const page = (
      await call(
        'GET',
        `/Users?filter=${encodeURIComponent('displayName sw "Zed"')}&startIndex=2&count=1`,
      )
    ).body
    expect(page).toMatchObject({
      totalResults: 2,
      startIndex: 2,
      itemsPerPage: 1,
      Resources: [{ id: two.id }],
    })
    expect((await call('GET', '/Users?count=0')).body).toMatchObject({
      itemsPerPage: 0,
      Resources: [],
    })
    expect((await call('GET', '/Users?startIndex=-5&count=-1')).body).toMatchObject({
      startIndex: 1,
      itemsPerPage: 0,
    })
    const shown = (await call('GET', `/Users/${one.id}?attributes=userName`)).body
    expect(Object.keys(shown).toSorted()).toEqual(['id', 'schemas', 'userName'])
    expect(
      (await call('GET', `/Users/${one.id}?excludedAttributes=groups,emails`)).body,
    ).not.toHaveProperty('emails')
  })

  it.each([
    ['filter', 'userName'],
    ['filter', 'userName eq'],
    ['filter', 'userName eq "a'],
    ['filter', 'userName like "a"'],
    ['filter', '(userName eq "a"'],
    ['filter', 'emails[type eq "work"].value'],
    ['filter', 'emails[type eq "work"].'],
    ['filter', 'userName eq "a" or'],
    ['filter', `${'('.repeat(50)}userName pr${')'.repeat(50)}`],
    ['filter', `userName eq "a"${' or userName eq "a"'.repeat(100)}`],
    ['count', 'many'],
  ])('%s=%s is answered in the words of the protocol', async (name, value) => {
    const { status, body } = await call('GET', `/Users?${name}=${encodeURIComponent(value)}`)
    expect([status, body.status, body.schemas, body.scimType]).toEqual([
      400,
      '400',
      [SCIM_SCHEMAS.error],
      name === 'filter' ? 'invalidFilter' : 'invalidValue',
    ])
    expect(body.detail).toMatch(/\w+ \w+/)
  })

  it.each([
    [{}, 'invalidValue'],
    [{ userName: '' }, 'invalidValue'],
    [{ userName: 'no-address' }, 'invalidValue'],
    [{ userName: 7 }, 'invalidValue'],
    [{ userName: 'a@example.org', emails: 'a@example.org' }, 'invalidValue'],
    [{ userName: 'a@example.org', emails: [{ value: 'a@b@c' }] }, 'invalidValue'],
    [{ userName: 'a@example.org', active: 'perhaps' }, 'invalidValue'],
  ])('%j makes no account', async (body, scimType) => {
    const count = await server().context.users.count()
    expect((await call('POST', '/Users', body)).body).toMatchObject({ status: '400', scimType })
    expect(await server().context.users.count()).toBe(count)
  })

  it.each([
    [{}, 'invalidSyntax'],
    [{ Operations: [] }, 'invalidSyntax'],
    [{ Operations: [{ op: 'move', path: 'active' }] }, 'invalidSyntax'],
    [{ Operations: [{ op: 'remove' }] }, 'noTarget'],
    [{ Operations: [{ op: 'replace', path: 'active' }] }, 'invalidValue'],
    [{ Operations: [{ op: 'replace', path: 'emails[', value: 1 }] }, 'invalidPath'],
    [{ Operations: [{ op: 'replace', path: '__proto__.polluted', value: 1 }] }, 'invalidPath'],
    [
      {
        Operations: [
          { op: 'replace', path: 'emails[type eq "home"].value', value: 'x@example.org' },
        ],
      },
      'noTarget',
    ],
    [{ Operations: [{ op: 'remove', path: 'userName' }] }, 'invalidValue'],
    [{ Operations: [{ op: 'add', value: 'text' }] }, 'invalidValue'],
  ])('the change %j is refused and changes nothing', async (body, scimType) => {
    const user = await addUser()
    expect((await call('PATCH', `/Users/${user.id}`, body)).body).toMatchObject({
      status: '400',
      scimType,
    })
    expect((await call('GET', `/Users/${user.id}`)).body).toEqual(user)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

it(
  'a filter is held against everybody, and pages over them miss and repeat nobody',
  { timeout: 60_000 },
  async () => {
    const { users, storage } = server().context
    await storage.transaction(async () => {
      for (let place = 0; place < 1100; place += 1)
        await users.create({
          name: `Many ${place}`,
          email: `many${place}@example.org`,
          role: place % 2 === 0 ? 'user' : 'pending',
        })
    })
    const page = async (query: string): Promise<ScimReply['body']> =>
      (await call('GET', `/Users?attributes=userName&count=200&${query}`)).body
    expect(
      await page(
        `filter=${encodeURIComponent('displayName sw "Many" and active eq true')}&startIndex=501`,
      ),
    ).toMatchObject({
      totalResults: 550,
      itemsPerPage: 50,
    })
    const seen: string[] = []
    for (let start = 1; seen.length < (await users.count()); start += 200) {
      const { Resources } = await page(`startIndex=${start}`)
      seen.push(...Resources.map(({ id }: { id: string }) => id))
    }
    expect(new Set(seen).size).toBe(await users.count())
  },
)
