import { expect, it } from 'vitest'
import { createPeople } from '../testing/create-people.ts'
import { Evaluations } from './evaluations.ts'
import { FeedbackStore } from './store.ts'

it('ratings cannot become more than allowed by two calls at once', async () => {
  const { storage, addCaller } = await createPeople()
  const store = new FeedbackStore(storage)
  const evaluations = new Evaluations(storage, store)
  const caller = await addCaller('owner')
  const row = {
    user_id: caller.userId,
    type: 'rating',
    model_id: null,
    rating: null,
    data: '{}',
    meta: '{}',
    created_at: 1,
    updated_at: 1,
    snapshot: null,
  }
  const rows = Array.from({ length: 9999 }, (_, place) => ({ ...row, id: `rating-${place}` }))
  for (let start = 0; start < rows.length; start += 1000)
    await storage.run(
      storage.builder.insertInto('feedback').values(rows.slice(start, start + 1000)),
    )
  const rate = () => evaluations.create(caller, { type: 'rating' })
  const rated = await Promise.allSettled([rate(), rate()])
  expect(rated.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await store.count(caller.userId)).toBe(10_000)
})
