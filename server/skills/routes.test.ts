import { describe, expect, it } from 'vitest'
import { skillEntrySchema, skillSchema } from '#contract/skills.ts'
import { servePeople } from '../testing/serve-people.ts'
import { createSkillRoutes, Skills } from './index.ts'

const ROOT = '/api/v1/skills'
const serve = () =>
  servePeople(({ storage, access, users }) =>
    createSkillRoutes(new Skills({ storage, access, users })),
  )
type Served = Awaited<ReturnType<typeof serve>>

const REPORTS = {
  id: 'Monthly Reports',
  name: 'Monthly reports',
  description: 'How reports are written here.',
  content: 'Begin with the result.',
  meta: { tags: ['office'] },
}
const create = ({ owner }: Served, input: object = {}) =>
  owner(`${ROOT}/create`, { body: { ...REPORTS, ...input } })
const shareWith = (id: string, permission: 'read' | 'write') => ({
  access_grants: [{ principal_type: 'user', principal_id: id, permission }],
})
const base64 = (text: string): string => Buffer.from(text).toString('base64')

describe('skills', () => {
  it('are stored under a small id without spaces, and answered without the text when made', async () => {
    const served = await serve()
    const { status, body } = await create(served)
    expect(status).toBe(200)
    expect(skillEntrySchema.parse(body)).toMatchObject({
      id: 'monthly-reports',
      name: 'Monthly reports',
      description: 'How reports are written here.',
      meta: { tags: ['office'] },
      is_active: true,
    })
    expect(body).not.toHaveProperty('content')
    const read = await served.owner(`${ROOT}/id/monthly-reports`)
    expect(read.body).toMatchObject({
      content: 'Begin with the result.',
      user: null,
      write_access: true,
      files: [],
      revision: 1,
    })
  })

  it('have an id and a name of their own: 400 when one is taken, 422 for ids that are no name', async () => {
    const served = await serve()
    await create(served)
    expect(await create(served, { name: 'Other' })).toMatchObject({ status: 400 })
    expect(await create(served, { id: 'other' })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('name') },
    })
    for (const id of ['', '   ', 'a/b', '../up', '-x', 'a?b'])
      expect(await create(served, { id, name: `n${id}` })).toMatchObject({ status: 422 })
    await create(served, { id: 'second', name: 'Second' })
    const renamed = await served.owner(`${ROOT}/id/second/update`, {
      body: { name: 'Monthly reports' },
    })
    expect(renamed.status).toBe(400)
  })

  it('are listed without their texts, searched by name, and read a page at a time', async () => {
    const served = await serve()
    await create(served)
    await create(served, { id: 'b', name: 'Letters', description: null, content: 'reports' })
    await served.friend(`${ROOT}/create`, {
      body: { id: 'c', name: 'Of a friend', content: '', ...shareWith(served.ids.owner, 'read') },
    })
    const list = (await served.owner(`${ROOT}/`)).body as { name: string }[]
    expect(list.map(({ name }) => name)).toEqual(['Letters', 'Monthly reports', 'Of a friend'])
    expect(list[0]).not.toHaveProperty('content')
    expect(list[0]).toMatchObject({ user: { name: 'owner' } })
    const names = async (query: string): Promise<string[]> =>
      (
        (await served.owner(`${ROOT}/list?${query}`)).body as { items: { name: string }[] }
      ).items.map(({ name }) => name)
    expect(await names('query=REPORTS')).toEqual(['Monthly reports'])
    expect(await names('view_option=shared')).toEqual(['Of a friend'])
    expect(await names('view_option=created&page=0')).toEqual(['Letters', 'Monthly reports'])
    expect((await served.owner(`${ROOT}/list?page=2`)).body).toEqual({ items: [], total: 3 })
    const exported = (await served.friend(`${ROOT}/export`)).body as unknown[]
    expect(exported.map((skill) => skillSchema.parse(skill).name)).toEqual(['Of a friend'])
  })

  it('of others are missing until they are shared, and changed only with the right to write', async () => {
    const served = await serve()
    await create(served)
    const at = `${ROOT}/id/monthly-reports`
    const tries = [
      [`${at}/update`, { body: { content: 'x' } }],
      [`${at}/toggle`, { body: {} }],
      [`${at}/access/update`, { body: {} }],
      [`${at}/files`, { body: { path: 'a.txt', content: '' } }],
      [`${at}/files?path=a.txt`, { method: 'DELETE' as const }],
      [`${at}/delete`, { method: 'DELETE' as const }],
    ] as const
    const statuses = async () => {
      const replies = []
      for (const [path, call] of tries) replies.push((await served.friend(path, call)).status)
      return new Set(replies)
    }
    expect((await served.friend(at)).status).toBe(404)
    expect((await served.friend(`${at}/download`)).status).toBe(404)
    expect(await statuses()).toEqual(new Set([404]))
    await served.owner(`${at}/access/update`, { body: shareWith(served.ids.friend, 'read') })
    expect((await served.friend(at)).body).toMatchObject({ write_access: false })
    expect(await statuses()).toEqual(new Set([403]))
    await served.owner(`${at}/access/update`, { body: shareWith(served.ids.friend, 'write') })
    expect((await served.friend(`${at}/toggle`, { body: {} })).body.is_active).toBe(false)
    expect((await served.admin(`${at}/delete`, { method: 'DELETE' })).body).toBe(true)
    expect((await served.owner(at)).status).toBe(404)
    expect(await served.access.grantsOf('skill', 'monthly-reports')).toEqual([])
  })

  it('refuse a change that was made from an older text than the newest', async () => {
    const served = await serve()
    await create(served)
    const at = `${ROOT}/id/monthly-reports/update`
    const first = await served.owner(at, { body: { content: 'of one tab', revision: 1 } })
    expect(first.body).toMatchObject({ content: 'of one tab', revision: 2 })
    const second = await served.owner(at, { body: { content: 'of another tab', revision: 1 } })
    expect(second).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('changed meanwhile') },
    })
    expect((await served.owner(`${ROOT}/id/monthly-reports`)).body.content).toBe('of one tab')
    // Clients written for the reference system send no revision, and a different id is ignored.
    const third = await served.owner(at, { body: { id: 'other', content: 'of a script' } })
    expect(third.body).toMatchObject({ id: 'monthly-reports', content: 'of a script' })
  })
})

describe('files of a skill', () => {
  const add = (served: Served, path: string, text: string) =>
    served.owner(`${ROOT}/id/monthly-reports/files`, { body: { path, content: base64(text) } })

  it('are added, replaced whatever the case of their names, read and deleted', async () => {
    const served = await serve()
    await create(served)
    await add(served, 'scripts/build.py', 'print(1)')
    const replaced = await add(served, 'Scripts/Build.py', 'print(12)')
    expect(replaced.body.files).toMatchObject([{ path: 'Scripts/Build.py', size: 9 }])
    const at = `${ROOT}/id/monthly-reports/files?path=Scripts%2FBuild.py`
    const removed = await served.owner(at, { method: 'DELETE' })
    expect(removed.body.files).toEqual([])
    expect((await served.owner(at, { method: 'DELETE' })).status).toBe(404)
  })

  it.each([
    '../up.txt',
    '/etc/passwd',
    'a//b',
    'a/./b',
    'C:/x',
    'a\\b',
    'SKILL.md',
    'a\u0000',
    'a\ud800',
    '',
  ])('are refused under the name %j', async (path) => {
    const served = await serve()
    await create(served)
    expect((await add(served, path, 'x')).status).toBe(422)
  })

  it('are bounded, one by one and together', async () => {
    const served = await serve()
    await create(served)
    const megabyte = 'x'.repeat(1024 * 1024)
    expect((await add(served, 'large', `${megabyte}x`)).status).toBe(413)
    for (let count = 0; count < 8; count += 1)
      expect((await add(served, `file${count}`, megabyte)).status).toBe(200)
    expect((await add(served, 'one more', 'x')).status).toBe(413)
    expect((await add(served, 'file0', 'x')).status).toBe(200)
  })
})
