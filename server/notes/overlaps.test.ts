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

it('a note that is pinned and pinned again at the same time is not pinned', async () => {
  const { owner, id } = await serveNote()
  const pinned = await Promise.all(names.map(() => owner(`${ROOT}/${id}/pin`, { body: {} })))
  expect(pinned.map(({ status }) => status)).toEqual(names.map(() => 200))
  expect((await owner(`${ROOT}/${id}`)).body.is_pinned).toBe(false)
})
