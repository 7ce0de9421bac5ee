import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { startSingleSignOn, type SingleSignOnWorld } from '../../testing/start-single-sign-on.ts'
import { readClaim, readList } from './read-claims.ts'

describe('reading claims', () => {
  it.each([
    [{ a: { b: ['x'] } }, 'a.b', ['x']],
    [{ 'a.b': 'x' }, 'a.b', ['x']],
    [{ 'https://example.org/roles': ['x'] }, 'https://example.org/roles', ['x']],
    [
      { resource_access: { 'my.client': { roles: ['x'] } } },
      'resource_access.my.client.roles',
      ['x'],
    ],
    [{ a: 'x, y,,y' }, 'a', ['x', 'y']],
    [{ a: 7 }, 'a', ['7']],
    [{ a: [7, 'x', null, true, {}, ['y']] }, 'a', ['7', 'x']],
    [{ a: [] }, 'a', []],
    [{ a: '' }, 'a', []],
    [{ a: {} }, 'a', null],
    [{ a: null }, 'a', null],
    [{ a: true }, 'a', null],
    [{}, 'a', null],
    [{ a: ['x'] }, '', null],
    [{ a: ['x'] }, 'a.length', null],
    [{}, '__proto__', null],
    [{}, 'constructor.name', null],
    [{ a: 'x' }, 'toString', null],
  ] as const)('%j at %s is %j', (claims, path, expected) => {
    expect(readList(claims as Record<string, unknown>, path, ',')).toEqual(expected)
  })

  it('reads an own claim that is named like something every object has', () => {
    const claims = JSON.parse('{"__proto__":{"roles":["x"]}}') as Record<string, unknown>
    expect(readList(claims, '__proto__.roles', ',')).toEqual(['x'])
  })

  it('never throws and never takes long, whatever claims and path are', () => {
    fc.assert(
      fc.property(
        fc.object({ maxDepth: 4 }),
        fc.array(fc.constantFrom('a', 'b', '', '__proto__', 'a.a')),
        (claims, parts) => {
          readClaim(claims, parts.join('.'))
          readList(claims as Record<string, unknown>, parts.join('.'), ';')
        },
      ),
    )
    const names = Array.from({ length: 12 }, (_, index) =>
      Array.from({ length: index + 1 }, () => 'a').join('.'),
    )
    let nested: Record<string, unknown> = {}
    for (let level = 0; level < 12; level += 1)
      nested = Object.fromEntries(names.map((name) => [name, nested]))
    expect(readClaim(nested, `${names[11]}.b`)).toBeUndefined()
  })
})

describe('roles and groups by claim', () => {
  let world: SingleSignOnWorld
  afterEach(() => world.close())

  const roleOf = async (email: string) =>
    (await world.server.context.users.findByEmail(email))?.role
  const groupsOf = async (email: string) => {
    const { users, groups } = world.server.context
    return (await groups.listOf((await users.findByEmail(email))!.id)).map(({ name }) => name)
  }
  const signIn = async (claims: Record<string, unknown>, person = 'eve') => {
    world.provider.people[person] = { email: `${person}@example.com`, ...claims }
    return (await world.signIn(person)).searchParams.get('error')
  }

  it('the provider decides the role at every sign-in, and one that fits nothing is refused', async () => {
    world = await startSingleSignOn({
      ENABLE_OAUTH_ROLE_MANAGEMENT: 'true',
      OAUTH_ROLES_CLAIM: 'realm.roles',
      OAUTH_ALLOWED_ROLES: 'staff,students',
      OAUTH_ADMIN_ROLES: 'heads',
      OAUTH_ROLES_SEPARATOR: '|',
      DEFAULT_USER_ROLE: 'pending',
    })
    await world.signIn('ada')
    const { users } = world.server.context
    expect(await users.findByEmail('ada@example.com')).toMatchObject({
      role: 'admin',
      isFirst: true,
    })
    expect(await signIn({ realm: { roles: ['other', 'staff'] } })).toBeNull()
    expect(await roleOf('eve@example.com')).toBe('user')
    expect(await signIn({ realm: { roles: 'students | heads' } })).toBeNull()
    expect(await roleOf('eve@example.com')).toBe('admin')
    expect(await signIn({ realm: { roles: ['Heads', 'STAFF'] } })).toBe(
      'Your account there has no role that may sign in here. Ask an administrator.',
    )
    expect(await roleOf('eve@example.com')).toBe('admin')
    // Row 69: a missing claim does not keep the previous role.
    expect(await signIn({})).toBeNull()
    expect(await roleOf('eve@example.com')).toBe('pending')
    // The first account keeps its role.
    world.provider.people['ada'] = { email: 'ada@example.com', realm: { roles: ['staff'] } }
    await world.signIn('ada')
    expect(await roleOf('ada@example.com')).toBe('admin')
    await world.set({ OAUTH_ALLOWED_ROLES: [], OAUTH_ADMIN_ROLES: [], DEFAULT_USER_ROLE: 'user' })
    expect(await signIn({ realm: { roles: ['nothing'] } })).toBeNull()
    expect(await roleOf('eve@example.com')).toBe('user')
  })

  it('a new role ends the sessions of before, and the sign-in that brought it goes on', async () => {
    world = await startSingleSignOn({
      ENABLE_OAUTH_ROLE_MANAGEMENT: 'true',
      OAUTH_ALLOWED_ROLES: 'staff',
      OAUTH_ADMIN_ROLES: 'heads',
    })
    await world.server.signUp('Root')
    await signIn({ roles: ['heads'] })
    const { users } = world.server.context
    const before = (await users.findByEmail('eve@example.com'))!.tokenVersion
    await signIn({ roles: ['staff'] })
    expect(await users.findByEmail('eve@example.com')).toMatchObject({
      role: 'user',
      tokenVersion: before + 1,
    })
  })

  it('without management a role that was given here stays', async () => {
    world = await startSingleSignOn()
    await world.server.signUp('Root')
    await signIn({ roles: ['admin'] })
    const { users } = world.server.context
    await users.update((await users.findByEmail('eve@example.com'))!.id, { role: 'admin' })
    await signIn({ roles: [] })
    expect(await roleOf('eve@example.com')).toBe('admin')
  })

  it('groups are exactly those of the claim, those that are blocked aside; missing ones are made where that is on', async () => {
    world = await startSingleSignOn({
      ENABLE_OAUTH_GROUP_MANAGEMENT: 'true',
      OAUTH_GROUPS_CLAIM: 'groups',
      OAUTH_BLOCKED_GROUPS: '["secret*", "board"]',
      OAUTH_GROUP_DEFAULT_SHARE: 'members',
    })
    await world.server.signUp('Root')
    const { groups, users } = world.server.context
    const rootId = (await users.first())!.id
    const make = async (name: string) =>
      (await groups.create(rootId, { name, description: '', permissions: {}, data: {}, meta: {} }))
        .id
    const [physics, manual, board] = [
      await make('physics'),
      await make('by hand'),
      await make('board'),
    ]
    expect(await signIn({ groups: ['physics', 'chemistry', 'secret society', 'board'] })).toBeNull()
    expect(await groupsOf('eve@example.com')).toEqual(['physics'])
    const eve = (await users.findByEmail('eve@example.com'))!.id
    for (const id of [manual, board]) await groups.changeMembers(id, { add: [eve] })
    await world.set({ ENABLE_OAUTH_GROUP_CREATION: true })
    // A member added manually by an administrator is removed; a blocked group is left alone.
    await world.set({ OAUTH_GROUPS_SEPARATOR: '|' })
    expect(await signIn({ groups: 'chemistry | physics' })).toBeNull()
    expect(await groupsOf('eve@example.com')).toEqual(['board', 'chemistry', 'physics'])
    expect((await groups.list()).find(({ name }) => name === 'chemistry')).toMatchObject({
      data: { config: { share: 'members' } },
      user_id: rootId,
    })
    expect((await groups.list()).some(({ name }) => name.startsWith('secret'))).toBe(false)
    // A missing claim changes nothing; an empty one removes all memberships.
    expect(await signIn({})).toBeNull()
    expect(await groupsOf('eve@example.com')).toEqual(['board', 'chemistry', 'physics'])
    expect(await signIn({ groups: [] })).toBeNull()
    expect(await groupsOf('eve@example.com')).toEqual(['board'])
    expect((await groups.membersOf(physics)).size).toBe(0)
    // Administrators are treated like other users, and the setting decides who may share with new
    // groups.
    world.provider.people['ada'] = {
      email: 'root@example.com',
      email_verified: true,
      groups: ['open'],
    }
    await world.set({ OAUTH_MERGE_ACCOUNTS_BY_EMAIL: true, OAUTH_GROUP_DEFAULT_SHARE: 'false' })
    await world.signIn('ada')
    expect(await groupsOf('root@example.com')).toEqual(['open'])
    expect((await groups.list()).find(({ name }) => name === 'open')!.data).toEqual({
      config: { share: false },
    })
  })
})
