import { expect, it } from 'vitest'
import type { FolderItem } from '#contract/folders.ts'
import { useTravelChats } from '../testing/use-travel-chats.ts'

const { call, create, get } = useTravelChats()
const names = Array.from({ length: 8 }, (_, index) => `Name ${index}`)
const folderOf = async (name: string): Promise<string> =>
  (await call<{ id: string }>('POST', '/folders/', { name })).body.id
const statuses = (replies: readonly { status: number }[]): number[] =>
  replies.map(({ status }) => status).toSorted((one, two) => one - two)

it('tags that are added and removed at the same time do not undo each other', async () => {
  const id = await create()
  await Promise.all(names.map((name) => call('POST', `/chats/${id}/tags`, { name })))
  expect((await get(id)).chat.tags?.toSorted()).toEqual(names)
  await Promise.all(names.slice(1).map((name) => call('DELETE', `/chats/${id}/tags`, { name })))
  expect((await get(id)).chat.tags).toEqual(names.slice(0, 1))
})

it('of folders of one name that are made at the same time there is one', async () => {
  const made = await Promise.all(names.map(() => call('POST', '/folders/', { name: 'Same' })))
  expect(statuses(made)).toEqual([200, ...names.slice(1).map(() => 400)])
})

it('fields of a folder that are changed at the same time are all kept', async () => {
  const id = await folderOf('Fields')
  await Promise.all(
    names.map((name) => call('POST', `/folders/${id}/update`, { data: { [name]: name } })),
  )
  const { data } = (await call<{ data: object }>('GET', `/folders/${id}`)).body
  expect(Object.keys(data).toSorted()).toEqual(names)
})

it('folders that are moved into each other at the same time make no circle', async () => {
  const [one, other] = [await folderOf('One'), await folderOf('Other')]
  const moved = await Promise.all([
    call('POST', `/folders/${one}/update/parent`, { parent_id: other }),
    call('POST', `/folders/${other}/update/parent`, { parent_id: one }),
  ])
  expect(statuses(moved)).toEqual([200, 400])
  const folders = (await call<FolderItem[]>('GET', '/folders/')).body
  const roots = folders.filter(({ id, parent_id }) => [one, other].includes(id) && !parent_id)
  expect(roots).toHaveLength(1)
})

it('a chat that is pinned and pinned again at the same time is not pinned', async () => {
  const id = await create()
  await Promise.all(names.map(() => call('POST', `/chats/${id}/pin`)))
  expect((await get(id)).pinned).toBe(false)
})
