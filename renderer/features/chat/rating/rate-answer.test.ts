import { beforeEach, describe, expect, it } from 'vitest'
import type { FeedbackInput } from '#contract/evaluations.ts'
import { ApiError } from '../../../api/api-error.ts'
import '../../../lib/i18n.ts'
import type { ChatApi } from '../chat-api.ts'
import { createChatStore, type ChatStore, withBeside, withPage } from '../chat-store.ts'
import { answer, createFakeApi, createFakeDeps, page, question } from '../testing-chat.ts'
import { rateAnswer, ratingOf, unrateAnswer } from './rate-answer.ts'

let store: ChatStore
beforeEach(() => {
  store = createChatStore('chat')
  const own = answer('a', {
    parentId: 'q',
    siblingIds: ['a', 'b', 'c'],
    model: 'arena',
    selectedModelId: 'north',
  })
  store.setState(
    withPage(store.getState(), page([question('q', { childrenIds: ['a', 'b', 'c'] }), own])),
    true,
  )
  const beside = [answer('b', { model: 'south' }), answer('c', { model: 'north' })]
  store.setState((state) => withBeside(state, beside), true)
})

const GOOD = { rating: 1, reason: '', comment: '' } as const
const shown = () => store.getState().messages.a!
const open = (parts: Partial<ChatApi> = {}) => {
  const whole: ChatApi['whole'] = () =>
    Promise.resolve({ id: 'chat', title: 'Title' } as Awaited<ReturnType<ChatApi['whole']>>)
  const api = createFakeApi({ whole, ...parts })
  const calls = (name: keyof ChatApi) =>
    api.asked.filter(([asked]) => asked === name).map(([, ...input]) => input)
  return { deps: createFakeDeps(api), calls }
}
const sent = (calls: unknown[][]): FeedbackInput => calls[0]![0] as FeedbackInput

describe('rating an answer', () => {
  it('says which model wrote it and which ones stood beside it, and is kept with the message', async () => {
    const { deps, calls } = open()
    await rateAnswer(store, deps, 'a', { rating: -1, reason: 'too_verbose', comment: 'Long.' })
    expect(sent(calls('rate'))).toMatchObject({
      type: 'rating',
      data: {
        rating: -1,
        reason: 'too_verbose',
        comment: 'Long.',
        model_id: 'north',
        sibling_model_ids: ['south'],
      },
      meta: { arena: true, model_id: 'arena', chat_id: 'chat', message_id: 'a', message_index: 1 },
      snapshot: { chat: { id: 'chat' } },
    })
    expect(calls('rate')[0]![1]).toBeNull()
    expect(shown()).toMatchObject({
      annotation: { type: 'rating', rating: -1, reason: 'too_verbose' },
      feedbackId: 'feedback',
    })
    expect(calls('update')[0]![1]).toEqual({
      history: { messages: { a: { annotation: shown().annotation, feedbackId: 'feedback' } } },
    })
  })

  it('changes the rating there is, and gives it anew when an administrator removed it', async () => {
    const { deps } = open()
    await rateAnswer(store, deps, 'a', GOOD)
    const gone = open({
      rate: (_, id) =>
        id === null
          ? Promise.resolve('anew')
          : Promise.reject(new ApiError({ status: 404, detail: 'There is no such rating.' })),
    })
    await rateAnswer(store, gone.deps, 'a', { ...GOOD, rating: -1 })
    expect(gone.calls('rate').map(([, id]) => id)).toEqual(['feedback', null])
    expect(shown()).toMatchObject({ annotation: { rating: -1 }, feedbackId: 'anew' })
  })

  it('is taken back whole', async () => {
    const { deps, calls } = open()
    await rateAnswer(store, deps, 'a', GOOD)
    await unrateAnswer(store, deps, 'a')
    expect(calls('unrate')).toEqual([['feedback']])
    expect(ratingOf(shown())).toBeNull()
    expect(calls('update').at(-1)![1]).toEqual({
      history: { messages: { a: { annotation: null, feedbackId: null } } },
    })
  })

  it('shows what was before when it could not be stored', async () => {
    const { deps } = open({ rate: () => Promise.reject(new Error('No.')) })
    await expect(rateAnswer(store, deps, 'a', GOOD)).rejects.toThrow('No.')
    expect(ratingOf(shown())).toBeNull()
  })
})

it('what is no rating reads as none', () => {
  expect(
    [undefined, null, {}, { rating: 5 }, { rating: '1' }].map((annotation) =>
      ratingOf({ annotation } as never),
    ),
  ).toEqual(Array.from({ length: 5 }, () => null))
})
