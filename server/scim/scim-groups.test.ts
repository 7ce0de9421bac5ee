import { mapInOrder } from '../lib/in-order.ts'
import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SCIM_SCHEMAS } from '#contract/scim.ts'
import { type ScimReply, useScim } from '../testing/use-scim.ts'

const { server, call, addUser, patch } = useScim()

describe('groups', () => {
  const addGroup = async (fields: object = {}): Promise<ScimReply['body']> => {
    const { status, body } = await call('POST', '/Groups', {
      displayName: `Group of ${randomUUID()}`,
      ...fields,
    })
    expect(status, JSON.stringify(body)).toBe(201)
    return body
  }
  const membersOf = async (id: string): Promise<string[]> =>
    [...(await server().context.groups.membersOf(id))].toSorted()
  const member = ({ id }: { id: string }) => ({ value: id })

  it('are made, renamed and deleted with their members', async () => {
    const [ada, bob] = [await addUser(), await addUser()]
    const group = await addGroup({
      displayName: 'Engineers',
      externalId: 'g-1',
      members: [member(ada), member(ada)],
    })
    expect(group).toMatchObject({
      displayName: 'Engineers',
      externalId: 'g-1',
      members: [{ value: ada.id, type: 'User' }],
    })
    expect(await server().context.groups.get(group.id)).toMatchObject({
      name: 'Engineers',
      user_id: null,
    })
    expect((await call('GET', `/Users/${ada.id}`)).body.groups).toMatchObject([
      { value: group.id, display: 'Engineers' },
    ])
    const replaced = await call('PUT', `/Groups/${group.id}`, {
      displayName: 'Builders',
      members: [member(bob)],
    })
    expect(replaced.body).toMatchObject({ displayName: 'Builders', members: [{ value: bob.id }] })
    expect(
      (
        await call(
          'GET',
          '/Groups?filter=displayName%20eq%20%22builders%22&excludedAttributes=members',
        )
      ).body,
    ).toMatchObject({
      totalResults: 1,
      Resources: [{ id: group.id }],
    })
    expect((await call('DELETE', `/Groups/${group.id}`)).status).toBe(204)
    expect((await call('GET', `/Groups/${group.id}`)).status).toBe(404)
    expect((await call('GET', `/Users/${bob.id}`)).body.groups).toEqual([])
  })

  it('get and lose members in every way the large directories write it', async () => {
    const [ada, bob, eve] = [await addUser(), await addUser(), await addUser()]
    const { id } = await addGroup()
    const path = `/Groups/${id}`
    const ids = (...people: { id: string }[]) => people.map((person) => person.id).toSorted()
    await patch(path, { op: 'add', path: 'members', value: [member(ada), member(bob)] })
    await patch(path, { op: 'Add', path: 'members', value: [member(bob), member(eve)] })
    expect(await membersOf(id)).toEqual(ids(ada, bob, eve))
    await patch(path, { op: 'remove', path: `members[value eq "${ada.id}"]` })
    expect(await membersOf(id)).toEqual(ids(bob, eve))
    await patch(path, { op: 'Remove', path: 'members', value: [member(bob)] })
    expect(await membersOf(id)).toEqual(ids(eve))
    await patch(path, { op: 'replace', value: { id, displayName: 'Renamed' } })
    expect((await call('GET', path)).body).toMatchObject({
      displayName: 'Renamed',
      members: [{ value: eve.id }],
    })
    await patch(
      path,
      { op: 'replace', path: 'members', value: [member(ada)] },
      { op: 'remove', path: 'members' },
    )
    expect(await membersOf(id)).toEqual([])
  })

  it('take nobody who is not there, and no name that is none', async () => {
    const { id } = await addGroup()
    const unknown = await patch(`/Groups/${id}`, {
      op: 'add',
      path: 'members',
      value: [{ value: 'nobody' }],
    })
    expect(unknown.body).toMatchObject({ status: '400', scimType: 'invalidValue' })
    for (const body of [
      {},
      { displayName: '' },
      { displayName: 7 },
      { displayName: 'x', members: 'all' },
    ])
      expect([body, (await call('POST', '/Groups', body)).body]).toMatchObject([
        body,
        { status: '400', scimType: 'invalidValue' },
      ])
    const first = await addGroup({ externalId: 'g-taken' })
    expect(
      (await call('POST', '/Groups', { displayName: 'x', externalId: 'g-taken' })).status,
    ).toBe(409)
    expect(first.externalId).toBe('g-taken')
    expect((await server().context.groups.list()).filter(({ name }) => name === 'x')).toEqual([])
  })
})

describe('groups of very many', () => {
  it('are changed in turns with the work of others', async () => {
    const { users, storage } = server().context
    const ids = await storage.transaction(() =>
      mapInOrder(
        Array.from({ length: 3000 }).keys(),
        async (each) =>
          (await users.create({ name: `M${each}`, email: `m${each}@example.org`, role: 'user' }))
            .id,
      ),
    )
    const members = ids.map((value) => ({ value }))
    const group = (
      await call('POST', '/Groups', { schemas: [SCIM_SCHEMAS.group], displayName: 'Many', members })
    ).body
    expect(group.members).toHaveLength(3000)
    let usage = process.threadCpuUsage()
    let longest = 0
    const timer = setInterval(() => {
      const { user, system } = process.threadCpuUsage(usage)
      longest = Math.max(longest, (user + system) / 1000)
      usage = process.threadCpuUsage()
    }, 1)
    onTestFinished(() => clearInterval(timer))
    const removals = ids
      .slice(0, 1000)
      .map((id) => ({ op: 'remove', path: `members[value eq "${id}"]` }))
    const patched = patch(`/Groups/${group.id}`, ...removals)
    expect((await patched).body.members).toHaveLength(2000)
    expect(longest).toBeLessThan(250)
  }, 60_000)

  it('keep who was added while a change went on', async () => {
    const [early, late] = [await addUser(), await addUser()]
    const members = (await server().context.users.list({ page: 1, query: 'm' })).users.map(
      ({ id }) => ({ value: id }),
    )
    const group = (
      await call('POST', '/Groups', { schemas: [SCIM_SCHEMAS.group], displayName: 'Busy', members })
    ).body
    const adds = Array.from({ length: 1000 }, () => ({
      op: 'add',
      path: 'members',
      value: [{ value: early.id }],
    }))
    const [changed] = await Promise.all([
      patch(`/Groups/${group.id}`, ...adds),
      patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: [{ value: late.id }] }),
    ])
    expect(changed.status).toBe(200)
    expect([...(await server().context.groups.membersOf(group.id))]).toEqual(
      expect.arrayContaining([early.id, late.id]),
    )
  })
})
