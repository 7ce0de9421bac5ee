import { describe, expect, it } from 'vitest'
import { mapInOrder } from '../lib/in-order.ts'
import { createPeople } from '../testing/create-people.ts'

const FIELDS = { name: 'Writers', description: '', permissions: {}, data: {}, meta: {} }

describe('permissions', () => {
  it('are the defaults without a group, and what a group adds takes effect and ends at once', async () => {
    const { groups, addCaller } = await createPeople()
    const admin = await addCaller('root', 'admin')
    const ada = await addCaller('ada')
    expect([
      await groups.allows(ada, 'chat.delete'),
      await groups.allows(ada, 'workspace.models'),
    ]).toEqual([true, false])
    const { id } = await groups.create(admin.userId, {
      ...FIELDS,
      permissions: { workspace: { models: true }, chat: { delete: false } },
    })
    await groups.changeMembers(id, { add: [ada.userId, 'nobody'] })
    expect([
      await groups.allows(ada, 'chat.delete'),
      await groups.allows(ada, 'workspace.models'),
    ]).toEqual([true, true])
    expect([...(await groups.membersOf(id))]).toEqual([ada.userId])
    await groups.changeMembers(id, { remove: [ada.userId] })
    expect(await groups.allows(ada, 'workspace.models')).toBe(false)
    await groups.update(id, {
      user_ids: [ada.userId],
      permissions: { sharing: { public_notes: true } },
    })
    expect([
      await groups.allows(ada, 'workspace.models'),
      await groups.allows(ada, 'sharing.public_notes'),
    ]).toEqual([false, true])
    await groups.remove(id)
    expect(await groups.allows(ada, 'sharing.public_notes')).toBe(false)
  })

  it('administrators may everything but are not made to chat temporarily, and pending people may nothing', async () => {
    const { groups, addCaller } = await createPeople()
    const admin = await addCaller('root', 'admin')
    expect(await groups.allows(admin, 'features.automations')).toBe(true)
    expect(await groups.allows(admin, 'chat.temporary_enforced')).toBe(false)
    expect(await groups.allows(await addCaller('waiting', 'pending'), 'chat.delete')).toBe(false)
  })

  it('come from the environment in every spelling until an administrator changes them', async () => {
    const { groups, settings, addCaller } = await createPeople({
      USER_PERMISSIONS_CHAT_DELETE: 'false',
      USER_PERMISSIONS_WORKSPACE_MODELS_ACCESS: 'True',
      USER_PERMISSIONS_NOTES_ALLOW_PUBLIC_SHARING: '1',
      USER_PERMISSIONS_FEATURES_API_KEYS: 'true',
    })
    const ada = await addCaller('ada')
    const names = [
      'chat.delete',
      'workspace.models',
      'sharing.public_notes',
      'features.api_keys',
    ] as const
    const read = () => mapInOrder(names, (name) => groups.allows(ada, name))
    expect(await read()).toEqual([false, true, true, true])
    await groups.updateDefaultPermissions({
      chat: { delete: true },
      features: { api_keys: false },
      unknown: { name: true },
    })
    expect(await read()).toEqual([true, true, true, false])
    expect(settings.get('USER_PERMISSIONS_FEATURES_API_KEYS')).toBe(false)
    await settings.update({ USER_PERMISSIONS_FEATURES_API_KEYS: true })
    expect(groups.defaultPermissions().features.api_keys).toBe(true)
  })

  it('two changes of different names at once are both kept', async () => {
    const { groups } = await createPeople()
    await Promise.all([
      groups.updateDefaultPermissions({ chat: { delete: true } }),
      groups.updateDefaultPermissions({ sharing: { public_notes: true } }),
    ])
    expect(groups.defaultPermissions()).toMatchObject({
      chat: { delete: true },
      sharing: { public_notes: true },
    })
  })

  it('a variable that is no truth value stops the start with its name', async () => {
    await expect(createPeople({ USER_PERMISSIONS_CHAT_EDIT: 'perhaps' })).rejects.toThrow(
      'USER_PERMISSIONS_CHAT_EDIT',
    )
  })
})

describe('members', () => {
  it('new accounts join the default group, and deleted ones leave all of theirs', async () => {
    const { groups, settings, users, addCaller } = await createPeople()
    const admin = await addCaller('root', 'admin')
    const { id } = await groups.create(admin.userId, FIELDS)
    await settings.update({ DEFAULT_GROUP_ID: id })
    const ada = await addCaller('ada')
    expect((await groups.listOf(ada.userId)).map(({ name }) => name)).toEqual(['Writers'])
    await users.remove(ada.userId)
    expect((await groups.membersOf(id)).size).toBe(0)
  })

  it('a default group nobody has keeps nobody from joining the gateway', async () => {
    const { settings, groups, addCaller } = await createPeople()
    await settings.update({ DEFAULT_GROUP_ID: 'gone' })
    expect((await groups.idsOf((await addCaller('ada')).userId)).size).toBe(0)
  })

  it('an account whose creation is taken back is in no group', async () => {
    const { storage, settings, groups, users, addCaller } = await createPeople()
    const { id } = await groups.create((await addCaller('root', 'admin')).userId, FIELDS)
    await settings.update({ DEFAULT_GROUP_ID: id })
    const attempt = () =>
      storage.transaction(async () => {
        const { id: userId } = await users.create({
          name: 'ada',
          email: 'ada@example.org',
          role: 'user',
        })
        expect((await groups.idsOf(userId)).has(id)).toBe(true)
        throw new Error('taken back')
      })
    await expect(attempt()).rejects.toThrow('taken back')
    expect((await groups.membersOf(id)).size).toBe(0)
  })
})
