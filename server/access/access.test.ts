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

function createScene() {
  const people = createPeople()
  const admin = people.addCaller('root', 'admin')
  const owner = people.addCaller('owner')
  const friend = people.addCaller('friend')
  const stranger = people.addCaller('stranger')
  const group = people.groups.create(admin.userId, {
    name: 'Team',
    description: '',
    permissions: {},
    data: {},
    meta: {},
  })
  const note = { type: 'note' as const, id: 'n1', ownerId: owner.userId }
  const matrix = () =>
    Object.fromEntries(
      Object.entries({ admin, owner, friend, stranger }).map(([name, caller]) => [
        name,
        (['read', 'write'] as const)
          .filter((permission) => people.access.allows(caller, note, permission))
          .join('+'),
      ]),
    )
  return { ...people, admin, owner, friend, stranger, group, note, matrix }
}

const ALL = 'read+write'

describe('who may use what others own', () => {
  it('owner and administrators always, nobody else without a grant', () => {
    expect(createScene().matrix()).toEqual({ admin: ALL, owner: ALL, friend: '', stranger: '' })
  })

  it('people and members of groups by a grant, writing including reading, until it or the membership ends', () => {
    const { access, groups, owner, friend, stranger, group, note, matrix } = createScene()
    groups.changeMembers(group.id, { add: [stranger.userId] })
    access.replace(owner, note, {
      access_grants: [grant('user', friend.userId), grant('group', group.id, 'write')],
    })
    expect(matrix()).toEqual({ admin: ALL, owner: ALL, friend: 'read', stranger: ALL })
    expect([...access.grantedIds(stranger, 'note', 'write')]).toEqual(['n1'])
    expect([...access.grantedIds(stranger, 'prompt', 'write')]).toEqual([])
    groups.changeMembers(group.id, { remove: [stranger.userId] })
    expect(matrix()).toMatchObject({ friend: 'read', stranger: '' })
    access.remove('note', 'n1')
    expect(matrix()).toMatchObject({ friend: '' })
  })

  it('nobody by a grant to ids that nobody has', () => {
    const { access, owner, admin, friend, group, note } = createScene()
    const nobody = ['made-up', group.id, '__proto__'].map((id) => grant('user', id))
    access.replace(admin, note, {
      access_grants: [...nobody, grant('group', friend.userId), grant('group', 'made-up')],
    })
    expect(access.grantsOf('note', 'n1')).toEqual([])
    access.replace(owner, note, {
      access_control: { read: { group_ids: [group.id, 'made-up'], user_ids: ['made-up'] } },
    })
    expect(access.grantsOf('note', 'n1')).toEqual([grant('group', group.id)])
  })

  it('everybody by a public grant, in either spelling', () => {
    const { access, admin, note, matrix } = createScene()
    access.replace(admin, note, { access_control: null })
    expect(matrix()).toMatchObject({ friend: 'read', stranger: 'read' })
    expect(access.describe('note', 'n1')).toMatchObject({
      access_grants: [grant('user', '*')],
      access_control: null,
    })
    access.replace(admin, note, { access_control: {} })
    expect(matrix()).toMatchObject({ friend: '', stranger: '' })
    access.replace(admin, note, { access_grants: [grant('group', '*', 'write')] })
    expect(matrix()).toMatchObject({ stranger: ALL })
  })
})

describe('replacing grants', () => {
  it('changes nothing without either spelling, and the newer one wins', () => {
    const { access, admin, friend, note } = createScene()
    access.replace(admin, note, { access_control: { read: { user_ids: [friend.userId] } } })
    access.replace(admin, note, {})
    access.replace(admin, note, { access_grants: null })
    expect(access.describe('note', 'n1').access_control).toEqual({
      read: { group_ids: [], user_ids: [friend.userId] },
      write: { group_ids: [], user_ids: [] },
    })
    access.replace(admin, note, { access_grants: [], access_control: null })
    expect(access.grantsOf('note', 'n1')).toEqual([])
  })

  it('leaves out what the caller may not give and keeps what others gave', () => {
    const { access, groups, admin, owner, friend, group, note } = createScene()
    const wanted = [grant('user', '*'), grant('user', friend.userId), grant('group', group.id)]
    access.replace(owner, note, { access_grants: wanted })
    expect(access.grantsOf('note', 'n1')).toEqual([
      grant('group', group.id),
      grant('user', friend.userId),
    ])
    groups.updateDefaultPermissions({ access_grants: { allow_users: false } })
    access.replace(owner, { type: 'note', id: 'n2' }, { access_grants: wanted })
    expect(access.grantsOf('note', 'n2')).toEqual([grant('group', group.id)])
    access.replace(admin, note, { access_grants: [grant('user', '*')] })
    access.replace(owner, note, { access_grants: wanted })
    expect(access.grantsOf('note', 'n1')).toEqual([grant('group', group.id), grant('user', '*')])
    groups.updateDefaultPermissions({ sharing: { public_notes: true } })
    access.replace(owner, { type: 'note', id: 'n2' }, { access_grants: wanted })
    expect(access.grantsOf('note', 'n2')).toContainEqual(grant('user', '*'))
  })

  it('forgets the grants of deleted people and groups', () => {
    const { access, groups, users, admin, friend, group, note } = createScene()
    access.replace(admin, note, {
      access_grants: [grant('user', friend.userId), grant('group', group.id)],
    })
    void users.remove(friend.userId)
    groups.remove(group.id)
    expect(access.grantsOf('note', 'n1')).toEqual([])
  })

  it('a change that is taken back leaves the grants as they were', () => {
    const { storage, access, admin, note, friend } = createScene()
    const attempt = () =>
      storage.transaction(() => {
        access.replace(admin, note, { access_grants: [grant('user', '*')] })
        expect(access.allows(friend, note, 'read')).toBe(true)
        throw new Error('taken back')
      })
    expect(attempt).toThrow('taken back')
    expect(access.allows(friend, note, 'read')).toBe(false)
  })
})
