import type { Memory } from '#contract/memories.ts'
import { badRequest, notFound } from '../lib/errors.ts'
import { inGroups } from '../lib/timing/in-groups.ts'
import { readInGroups } from '../lib/timing/read-in-groups.ts'
import { eachAwaitedInSteps, ONE_IN_A_STEP, runInTurns } from '../lib/turns.ts'
import { toOwnerWord, wordsOf } from '../lib/text/words.ts'
import type { Storage } from '../storage/index.ts'
import type { GatewaySettings } from '../settings/index.ts'
import { MeaningSearch, type Embed } from './find-by-meaning.ts'
import { MemoryStore, type MemoryHit } from './store.ts'

const MOST_MEMORIES = 10_000
/** Maximum number of search terms from a long text; the first ones usually state its topic. */
const MOST_WORDS = 64

/**
 * Any of the terms may match; only letters and digits are used, so no input acts as an operator.
 */
function toMatch(text: string, userId: string): string | null {
  const words = new Set<string>()
  for (const { text: word } of wordsOf(text)) {
    words.add(word.toLowerCase())
    if (words.size === MOST_WORDS) break
  }
  if (words.size === 0) return null
  const any = [...words].map((word) => `"${word}"`).join(' OR ')
  return `owner : "${toOwnerWord(userId)}" AND content : (${any})`
}

const missing = () => notFound('There is no such memory.')

async function* removeInSteps(store: MemoryStore, userId: string): AsyncGenerator<void, void> {
  while (await store.removeSome(userId)) yield
}

interface MemoriesDependencies {
  readonly storage: Storage
  readonly settings: Pick<GatewaySettings, 'onChange'>
  /** Retrieval is built later. */
  readonly embed: Embed
}

/**
 * Permanent facts about users that models are given, on the tables of
 * `0008-prompts-memories-notes`. Users see only their own.
 */
export class Memories {
  readonly #storage: Storage
  readonly #meaning: MeaningSearch
  readonly #store: MemoryStore

  constructor({ storage, settings, embed }: MemoriesDependencies) {
    this.#storage = storage
    this.#meaning = new MeaningSearch(embed)
    settings.onChange(async (keys) => {
      if (keys.some((key) => key.startsWith('RAG_'))) this.#meaning.forget()
    })
    this.#store = new MemoryStore(storage)
  }

  /**
   * Oldest first. There may be many, so only a few are read at once, when they are requested; those
   * deleted meanwhile are left out.
   */
  async *list(userId: string): AsyncGenerator<Memory> {
    yield* readInGroups(await this.#store.ids(userId), (ids) => this.#store.several(userId, ids))
  }

  /** Throws 400 if the user already has the maximum number. */
  async add(userId: string, content: string): Promise<Memory> {
    // In one transaction, so that concurrent calls cannot pass the limit together.
    return this.#storage.transaction(async () => {
      if ((await this.#store.count(userId)) >= MOST_MEMORIES)
        throw badRequest(`You have ${MOST_MEMORIES} memories. Delete some first.`)
      return this.#store.insert(userId, content)
    })
  }

  /** Throws 404 if it is missing or belongs to another user. */
  async update(userId: string, id: string, content: string): Promise<Memory> {
    const memory = (await this.#store.update(userId, id, content))
      ? await this.#store.get(userId, id)
      : null
    if (!memory) throw missing()
    return memory
  }

  /** Throws 404 if it is missing or belongs to another user. */
  async remove(userId: string, id: string): Promise<void> {
    if (!(await this.#store.remove(userId, id))) throw missing()
  }

  /** In short steps, because the index terms of each are removed with it. */
  removeAll(userId: string): Promise<void> {
    return runInTurns(removeInSteps(this.#store, userId))
  }

  /** Returns the memories that share terms with a text, best match first. */
  async find(userId: string, text: string, limit: number): Promise<MemoryHit[]> {
    const match = toMatch(text, userId)
    return match === null ? [] : await this.#store.find(match, limit)
  }

  /**
   * Returns the memories nearest to the meaning of a text, nearest first; `distance` is from 0 to
   * 1, larger is better. Throws 502, 503 or 504 if the embedding engine does not respond.
   */
  findByMeaning(
    userId: string,
    text: string,
    options: { limit: number; signal: AbortSignal },
  ): Promise<MemoryHit[]> {
    return this.#meaning.find(() => this.list(userId), text, options)
  }

  /** Rebuilds the index from the memories, in short steps. */
  async indexAgain(userId: string): Promise<void> {
    const ids = (await this.#store.ids(userId)).map(({ id }) => id)
    return runInTurns(
      eachAwaitedInSteps(
        inGroups(ids, this.#storage.pace.rows),
        (some) => this.#store.indexAgain(some),
        ONE_IN_A_STEP,
      ),
    )
  }
}
