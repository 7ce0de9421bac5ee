import { expect, it } from 'vitest'
import { servePeople } from '../testing/serve-people.ts'
import { createNoteRoutes, Notes } from './index.ts'

const BOUNDS = { values: 20_000, characters: 200_000 }
const ROOT = '/api/v1/notes'
const names = Array.from({ length: 8 }, (_, index) => `name${index}`)

async function serveNote() {
  const { owner } = await servePeople(({ storage, access, users }) =>
    createNoteRoutes(new Notes({ storage, access, users, bounds: () => BOUNDS })),
  )
  const { body } = await owner(`${ROOT}/create`, { body: { title: 'Plan' } })
  return { owner, id: body.id as string }
}

it('fields of a note that two people change at the same time are all kept', async () => {
  const { owner, id } = await serveNote()
  await Promise.all(
    names.map((name) => owner(`${ROOT}/${id}/update`, { body: { meta: { [name]: name } } })),
  )
  const { meta } = (await owner(`${ROOT}/${id}`)).body
  expect(Object.keys(meta).toSorted()).toEqual(names)
})

it('a text that was changed meanwhile is not replaced by one that is based on the older', async () => {
  const { owner, id } = await serveNote()
  const save = (md: string, known_at: number) =>
    owner(`${ROOT}/${id}/update`, { body: { title: 'Plan', data: { content: { md } }, known_at } })
  const { updated_at: first } = (await owner(`${ROOT}/${id}`)).body
  const mine = await save('mine', first)
  expect(mine.status).toBe(200)
  const other = await save('other', first)
  expect([other.status, other.body.detail]).toEqual([409, expect.stringMatching(/meanwhile/)])
  expect((await owner(`${ROOT}/${id}`)).body.data.content.md).toBe('mine')
  // The reply to the first one may have been lost.
  expect((await save('mine', first)).status).toBe(200)
  expect((await save('more', mine.body.updated_at)).status).toBe(409)
  expect((await owner(`${ROOT}/${id}/update`, { body: { title: 'Any version' } })).status).toBe(200)
})

it('a note that is pinned and pinned again at the same time is not pinned', async () => {
  const { owner, id } = await serveNote()
  const pinned = await Promise.all(names.map(() => owner(`${ROOT}/${id}/pin`, { body: {} })))
  expect(pinned.map(({ status }) => status)).toEqual(names.map(() => 200))
  expect((await owner(`${ROOT}/${id}`)).body.is_pinned).toBe(false)
})
