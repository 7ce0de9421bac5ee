import type { FeedbackInput, FullFeedback } from '#contract/evaluations.ts'
import { checkPlainJson } from '../lib/json/check-plain-json.ts'
import { badRequest, notFound, tooLarge } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { newId, nowSeconds } from '../lib/ids.ts'
import { nextTurn } from '../lib/turns.ts'
import type { Storage } from '../storage/index.ts'
import type { FeedbackStore } from './store.ts'

const MOST_RATINGS = 10_000
/** Limit for the fields other than the snapshot. */
const LARGEST_BYTES = 128 * 1024

function checkRating({ data, meta, snapshot }: Partial<FeedbackInput>): void {
  checkPlainJson([data, meta, snapshot], 'The rating')
  if (Buffer.byteLength(JSON.stringify([data, meta])) > LARGEST_BYTES)
    throw tooLarge(`A rating may have ${LARGEST_BYTES} bytes.`)
}

/**
 * Returns the JSON of the chat of a rating; null if there is none. It may be long, so that
 * serialising it and storing it each take a separate turn of the event loop.
 */
async function toText(snapshot: FeedbackInput['snapshot']): Promise<string | null> {
  if (!snapshot) return null
  const text = JSON.stringify(snapshot)
  await nextTurn()
  return text
}

/**
 * Ratings of answers, on the table of `0011-evaluations`. Users see their own ones, administrators
 * all; 404 for missing ones and those of others.
 */
export class Evaluations {
  readonly #storage: Storage
  readonly #store: FeedbackStore

  constructor(storage: Storage, store: FeedbackStore) {
    this.#storage = storage
    this.#store = store
  }

  async create(caller: Caller, input: FeedbackInput): Promise<FullFeedback> {
    checkRating(input)
    const snapshot = await toText(input.snapshot)
    const now = nowSeconds()
    const feedback = {
      id: newId(),
      user_id: caller.userId,
      version: 0,
      type: input.type,
      data: input.data ?? {},
      meta: input.meta ?? {},
      snapshot: input.snapshot ?? null,
      created_at: now,
      updated_at: now,
    }
    // In one transaction, so that concurrent calls cannot pass the limit together.
    await this.#storage.transaction(async () => {
      if ((await this.#store.count(caller.userId)) >= MOST_RATINGS)
        throw badRequest(`You have given ${MOST_RATINGS} ratings. Take some back first.`)
      await this.#store.insert(feedback, snapshot)
    })
    return feedback
  }

  async get(caller: Caller, id: string): Promise<FullFeedback> {
    const feedback = await this.#store.get(id)
    if (!feedback || (feedback.user_id !== caller.userId && caller.role !== 'admin'))
      throw notFound('There is no such rating.')
    return feedback
  }

  /** Parts that are not given stay unchanged. */
  async update(
    caller: Caller,
    id: string,
    { type, data, meta, snapshot }: Partial<FeedbackInput>,
  ): Promise<FullFeedback> {
    checkRating({ data, meta, snapshot })
    const text = await toText(snapshot)
    const parts = { ...(data && { data }), ...(meta && { meta }), ...(snapshot && { snapshot }) }
    return this.#storage.transaction(async () => {
      const before = await this.get(caller, id)
      const feedback = { ...before, ...parts, type: type ?? before.type, updated_at: nowSeconds() }
      await this.#store.update(feedback, text)
      return feedback
    })
  }

  async remove(caller: Caller, id: string): Promise<void> {
    await this.get(caller, id)
    await this.#store.remove(id)
  }
}
