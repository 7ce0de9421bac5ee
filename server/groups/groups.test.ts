import { describe, expect, it } from 'vitest'
import { createPeople } from '../testing/create-people.ts'

const FIELDS = { name: 'Writers', description: '', permissions: {}, data: {}, meta: {} }

describe('permissions', () => {
  it('are the defaults without a group, and what a group adds takes effect and ends at once', () => {
    const { groups, addCaller } = createPeople()
    const admin = addCaller('root', 'admin')
    const ada = addCaller('ada')
    expect([groups.allows(ada, 'chat.delete'), groups.allows(ada, 'workspace.models')]).toEqual([
      true,
      false,
    ])
    const { id } = groups.create(admin.userId, {
      ...FIELDS,
      permissions: { workspace: { models: true }, chat: { delete: false } },
    })
    groups.changeMembers(id, { add: [ada.userId, 'nobody'] })
    expect([groups.allows(ada, 'chat.delete'), groups.allows(ada, 'workspace.models')]).toEqual([
      true,
      true,
    ])
    expect([...groups.membersOf(id)]).toEqual([ada.userId])
    groups.changeMembers(id, { remove: [ada.userId] })
    expect(groups.allows(ada, 'workspace.models')).toBe(false)
    groups.update(id, { user_ids: [ada.userId], permissions: { sharing: { public_notes: true } } })
    expect([
      groups.allows(ada, 'workspace.models'),
      groups.allows(ada, 'sharing.public_notes'),
    ]).toEqual([false, true])
    groups.remove(id)
    expect(groups.allows(ada, 'sharing.public_notes')).toBe(false)
  })

  it('administrators may everything but are not made to chat temporarily, and pending people may nothing', () => {
    const { groups, addCaller } = createPeople()
    const admin = addCaller('root', 'admin')
    expect(groups.allows(admin, 'features.automations')).toBe(true)
    expect(groups.allows(admin, 'chat.temporary_enforced')).toBe(false)
    expect(groups.allows(addCaller('waiting', 'pending'), 'chat.delete')).toBe(false)
  })

  it('come from the environment in every spelling until an administrator changes them', () => {
    const { groups, settings, addCaller } = createPeople({
      USER_PERMISSIONS_CHAT_DELETE: 'false',
      USER_PERMISSIONS_WORKSPACE_MODELS_ACCESS: 'True',
      USER_PERMISSIONS_NOTES_ALLOW_PUBLIC_SHARING: '1',
      USER_PERMISSIONS_FEATURES_API_KEYS: 'true',
    })
    const ada = addCaller('ada')
    const names = [
      'chat.delete',
      'workspace.models',
      'sharing.public_notes',
      'features.api_keys',
    ] as const
    const read = () => names.map((name) => groups.allows(ada, name))
    expect(read()).toEqual([false, true, true, true])
    groups.updateDefaultPermissions({
      chat: { delete: true },
      features: { api_keys: false },
      unknown: { name: true },
    })
    expect(read()).toEqual([true, true, true, false])
    expect(settings.get('USER_PERMISSIONS_FEATURES_API_KEYS')).toBe(false)
    settings.update({ USER_PERMISSIONS_FEATURES_API_KEYS: true })
    expect(groups.defaultPermissions().features.api_keys).toBe(true)
  })

  it('a variable that is no truth value stops the start with its name', () => {
    expect(() => createPeople({ USER_PERMISSIONS_CHAT_EDIT: 'perhaps' })).toThrow(
      'USER_PERMISSIONS_CHAT_EDIT',
    )
  })
})

describe('members', () => {
  it('new accounts join the default group, and deleted ones leave all of theirs', () => {
    const { groups, settings, users, addCaller } = createPeople()
    const admin = addCaller('root', 'admin')
    const { id } = groups.create(admin.userId, FIELDS)
    settings.update({ DEFAULT_GROUP_ID: id })
    const ada = addCaller('ada')
    expect(groups.listOf(ada.userId).map(({ name }) => name)).toEqual(['Writers'])
    void users.remove(ada.userId)
    expect(groups.membersOf(id).size).toBe(0)
  })

  it('a default group nobody has keeps nobody from joining the gateway', () => {
    const { settings, groups, addCaller } = createPeople()
    settings.update({ DEFAULT_GROUP_ID: 'gone' })
    expect(groups.idsOf(addCaller('ada').userId).size).toBe(0)
  })

  it('an account whose creation is taken back is in no group', () => {
    const { storage, settings, groups, users, addCaller } = createPeople()
    const { id } = groups.create(addCaller('root', 'admin').userId, FIELDS)
    settings.update({ DEFAULT_GROUP_ID: id })
    const attempt = () =>
      storage.transaction(() => {
        const { id: userId } = users.create({ name: 'ada', email: 'ada@example.org', role: 'user' })
        expect(groups.idsOf(userId).has(id)).toBe(true)
        throw new Error('taken back')
      })
    expect(attempt).toThrow('taken back')
    expect(groups.membersOf(id).size).toBe(0)
  })
})
