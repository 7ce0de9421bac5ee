import { filterInOrder, mapInOrder } from '../lib/in-order.ts'
import { describe, expect, it } from 'vitest'
import type { AccessGrant } from '#contract/access.ts'
import { createPeople } from '../testing/create-people.ts'

const grant = (
  principal_type: AccessGrant['principal_type'],
  principal_id: string,
  permission: AccessGrant['permission'] = 'read',
) => ({
  principal_type,
  principal_id,
  permission,
})

async function createScene() {
  const people = await createPeople()
  const admin = await people.addCaller('root', 'admin')
  const owner = await people.addCaller('owner')
  const friend = await people.addCaller('friend')
  const stranger = await people.addCaller('stranger')
  const group = await people.groups.create(admin.userId, {
    name: 'Team',
    description: '',
    permissions: {},
    data: {},
    meta: {},
  })
  const note = { type: 'note' as const, id: 'n1', ownerId: owner.userId }
  const matrix = async () =>
    Object.fromEntries(
      await mapInOrder(
        Object.entries({ admin, owner, friend, stranger }),
        async ([name, caller]) => [
          name,
          (
            await filterInOrder(['read', 'write'] as const, (permission) =>
              people.access.allows(caller, note, permission),
            )
          ).join('+'),
        ],
      ),
    )
  return { ...people, admin, owner, friend, stranger, group, note, matrix }
}

const ALL = 'read+write'

describe('who may use what others own', () => {
  it('owner and administrators always, nobody else without a grant', async () => {
    expect(await (await createScene()).matrix()).toEqual({
      admin: ALL,
      owner: ALL,
      friend: '',
      stranger: '',
    })
  })

  it('people and members of groups by a grant, writing including reading, until it or the membership ends', async () => {
    const { access, groups, owner, friend, stranger, group, note, matrix } = await createScene()
    await groups.changeMembers(group.id, { add: [stranger.userId] })
    await access.replace(owner, note, {
      access_grants: [grant('user', friend.userId), grant('group', group.id, 'write')],
    })
    expect(await matrix()).toEqual({ admin: ALL, owner: ALL, friend: 'read', stranger: ALL })
    expect([...(await access.grantedIds(stranger, 'note', 'write'))]).toEqual(['n1'])
    expect([...(await access.grantedIds(stranger, 'prompt', 'write'))]).toEqual([])
    await groups.changeMembers(group.id, { remove: [stranger.userId] })
    expect(await matrix()).toMatchObject({ friend: 'read', stranger: '' })
    await access.remove('note', 'n1')
    expect(await matrix()).toMatchObject({ friend: '' })
  })

  it('nobody by a grant to ids that nobody has', async () => {
    const { access, owner, admin, friend, group, note } = await createScene()
    const nobody = ['made-up', group.id, '__proto__'].map((id) => grant('user', id))
    await access.replace(admin, note, {
      access_grants: [...nobody, grant('group', friend.userId), grant('group', 'made-up')],
    })
    expect(await access.grantsOf('note', 'n1')).toEqual([])
    await access.replace(owner, note, {
      access_control: { read: { group_ids: [group.id, 'made-up'], user_ids: ['made-up'] } },
    })
    expect(await access.grantsOf('note', 'n1')).toEqual([grant('group', group.id)])
  })

  it('everybody by a public grant, in either spelling', async () => {
    const { access, admin, note, matrix } = await createScene()
    await access.replace(admin, note, { access_control: null })
    expect(await matrix()).toMatchObject({ friend: 'read', stranger: 'read' })
    expect(await access.describe('note', 'n1')).toMatchObject({
      access_grants: [grant('user', '*')],
      access_control: null,
    })
    await access.replace(admin, note, { access_control: {} })
    expect(await matrix()).toMatchObject({ friend: '', stranger: '' })
    await access.replace(admin, note, { access_grants: [grant('group', '*', 'write')] })
    expect(await matrix()).toMatchObject({ stranger: ALL })
  })
})

describe('replacing grants', () => {
  it('changes nothing without either spelling, and the newer one wins', async () => {
    const { access, admin, friend, note } = await createScene()
    await access.replace(admin, note, { access_control: { read: { user_ids: [friend.userId] } } })
    await access.replace(admin, note, {})
    await access.replace(admin, note, { access_grants: null })
    expect((await access.describe('note', 'n1')).access_control).toEqual({
      read: { group_ids: [], user_ids: [friend.userId] },
      write: { group_ids: [], user_ids: [] },
    })
    await access.replace(admin, note, { access_grants: [], access_control: null })
    expect(await access.grantsOf('note', 'n1')).toEqual([])
  })

  it('leaves out what the caller may not give and keeps what others gave', async () => {
    const { access, groups, admin, owner, friend, group, note } = await createScene()
    const wanted = [grant('user', '*'), grant('user', friend.userId), grant('group', group.id)]
    await access.replace(owner, note, { access_grants: wanted })
    expect(await access.grantsOf('note', 'n1')).toEqual([
      grant('group', group.id),
      grant('user', friend.userId),
    ])
    await groups.updateDefaultPermissions({ access_grants: { allow_users: false } })
    await access.replace(owner, { type: 'note', id: 'n2' }, { access_grants: wanted })
    expect(await access.grantsOf('note', 'n2')).toEqual([grant('group', group.id)])
    await access.replace(admin, note, { access_grants: [grant('user', '*')] })
    await access.replace(owner, note, { access_grants: wanted })
    expect(await access.grantsOf('note', 'n1')).toEqual([
      grant('group', group.id),
      grant('user', '*'),
    ])
    await groups.updateDefaultPermissions({ sharing: { public_notes: true } })
    await access.replace(owner, { type: 'note', id: 'n2' }, { access_grants: wanted })
    expect(await access.grantsOf('note', 'n2')).toContainEqual(grant('user', '*'))
  })

  it('forgets the grants of deleted people and groups', async () => {
    const { access, groups, users, admin, friend, group, note } = await createScene()
    await access.replace(admin, note, {
      access_grants: [grant('user', friend.userId), grant('group', group.id)],
    })
    await users.remove(friend.userId)
    await groups.remove(group.id)
    expect(await access.grantsOf('note', 'n1')).toEqual([])
  })

  it('gives nothing to somebody who is deleted while the grants are written', async () => {
    const { access, users, admin, friend, note } = await createScene()
    await Promise.all([
      access.replace(admin, note, { access_grants: [grant('user', friend.userId)] }),
      users.remove(friend.userId),
    ])
    expect(await access.grantsOf('note', 'n1')).toEqual([])
  })

  it('a change that is taken back leaves the grants as they were', async () => {
    const { storage, access, admin, note, friend } = await createScene()
    const attempt = () =>
      storage.transaction(async () => {
        await access.replace(admin, note, { access_grants: [grant('user', '*')] })
        expect(await access.allows(friend, note, 'read')).toBe(true)
        throw new Error('taken back')
      })
    await expect(attempt()).rejects.toThrow('taken back')
    expect(await access.allows(friend, note, 'read')).toBe(false)
  })
})
