import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Feedback } from '#contract/evaluations.ts'
import { finishSteps } from '../lib/turns.ts'
import { countByDay, rankModels as rankInSteps } from './leaderboard.ts'

const rankModels = (feedbacks: readonly Feedback[], query?: string) =>
  finishSteps(rankInSteps(feedbacks, query))

let counter = 0
const feedback = (data: Feedback['data'], created_at = 0): Feedback => ({
  id: `f${(counter += 1)}`,
  user_id: 'u',
  version: 0,
  type: 'rating',
  data,
  meta: {},
  created_at,
  updated_at: created_at,
})
const rate = (model_id: string, rating: unknown, ...sibling_model_ids: string[]) =>
  feedback({ model_id, rating: rating as number, sibling_model_ids })

describe('the leaderboard', () => {
  it('moves ratings only where models stood beside each other, and counts every verdict', async () => {
    expect(await rankModels([rate('a', 1), rate('a', 1), rate('a', -1)])).toMatchObject([
      { model_id: 'a', rating: 1000, won: 2, lost: 1, count: 3 },
    ])
    expect(await rankModels([rate('a', 1, 'b')])).toMatchObject([
      { model_id: 'a', rating: 1016, won: 1, lost: 0 },
      { model_id: 'b', rating: 984, won: 0, lost: 1, count: 1 },
    ])
  })

  it('lets a weaker model gain more from the same verdict', async () => {
    const many = Array.from({ length: 20 }, () => rate('strong', 1, 'weak'))
    const before = await rankModels(many)
    const after = await rankModels([...many, rate('weak', 1, 'strong')])
    expect(after[1]!.rating - before[1]!.rating).toBeGreaterThan(16)
  })

  it('understands numbers sent as text and leaves out what is no verdict', async () => {
    expect(
      await rankModels([
        rate('a', '1'),
        rate('a', '-1'),
        rate('a', 0),
        rate('a', null),
        rate('a', 'good'),
        feedback({ rating: 1 }),
      ]),
    ).toMatchObject([{ won: 1, lost: 1 }])
  })

  it('shows the most frequent tags, and can be asked about one', async () => {
    const tagged = [
      feedback({ model_id: 'a', rating: 1, tags: ['Code', 'fast'] }),
      feedback({ model_id: 'b', rating: 1, tags: ['Code'] }),
    ]
    expect((await rankModels([...tagged, tagged[0]!]))[0]).toMatchObject({
      top_tags: [
        { tag: 'Code', count: 2 },
        { tag: 'fast', count: 2 },
      ],
    })
    expect((await rankModels(tagged, ' FAST ')).map(({ model_id }) => model_id)).toEqual(['a'])
  })

  it('gives away no points and takes none, whatever is compared', async () => {
    const id = fc.constantFrom('a', 'b', 'c', '__proto__')
    const verdicts = fc.array(
      fc.tuple(id, fc.constantFrom(1, -1), fc.array(id, { maxLength: 3 })),
      { maxLength: 40 },
    )
    await fc.assert(
      fc.asyncProperty(verdicts, async (list) => {
        const entries = await rankModels(
          list.map(([model, rating, siblings]) => rate(model, rating, ...siblings)),
        )
        const sum = entries.reduce((total, { rating }) => total + rating, 0)
        expect(Math.abs(sum - entries.length * 1000)).toBeLessThanOrEqual(entries.length)
      }),
    )
  })
})

it('the history counts verdicts by day within the days asked for', () => {
  const day = 86_400
  const list = [
    { rating: 1, created_at: 0 },
    { rating: 1, created_at: 40 * day },
    { rating: -1, created_at: 40 * day + 5 },
    { rating: null, created_at: 41 * day },
  ]
  const days = countByDay(list, { days: 30, now: 41 * day })
  expect(days).toHaveLength(30)
  expect(days.slice(-2)).toEqual([
    { date: '1970-02-10', won: 1, lost: 1 },
    { date: '1970-02-11', won: 0, lost: 0 },
  ])
  expect(countByDay(list, { days: 0, now: 41 * day })).toHaveLength(2)
})
