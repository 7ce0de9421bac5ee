import { nowSeconds } from '../../lib/ids.ts'
import { nextTurn, runInTurns } from '../../lib/turns.ts'
import type { Storage } from '../../storage/index.ts'
import type { FileStore } from '../store.ts'
import { readEverything } from './store.ts'

const ID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g
const ID_LENGTH = 36
const IS_ID = new RegExp(`^${ID.source}$`)
/** Number of UTF-16 units searched at once. */
const PIECE = 64 * 1024
const DAY = 24 * 60 * 60
const STEP = 50

export interface UnusedFile {
  readonly id: string
  readonly size: number
}

function* strikeOut(text: string, left: Map<string, UnusedFile>): Generator<void> {
  for (let from = 0; from < text.length; from += PIECE) {
    // Each part overlaps the previous one by the length of an id, so that ids across the boundary
    // are found.
    for (const [id] of text.slice(Math.max(0, from - ID_LENGTH), from + PIECE).matchAll(ID))
      left.delete(id)
    yield
  }
}

async function* strikeOutUsed(
  storage: StoredTexts,
  left: Map<string, UnusedFile>,
): AsyncGenerator<void> {
  for await (const text of readEverything(storage)) {
    yield* strikeOut(text, left)
    if (left.size === 0) return
  }
}

type StoredTexts = Storage

/** Finds and removes files that nothing mentions. */
export class UnusedFiles {
  readonly #options: {
    readonly storage: StoredTexts
    readonly store: FileStore
    readonly remove: (id: string) => Promise<void>
  }

  constructor(options: {
    readonly storage: StoredTexts
    readonly store: FileStore
    readonly remove: (id: string) => Promise<void>
  }) {
    this.#options = options
  }

  /** Files unchanged for this many days, oldest first. */
  async find(days: number): Promise<UnusedFile[]> {
    // Ids of another form could be mentioned somewhere without being recognised.
    const old = (await this.#options.store.unchangedSince(nowSeconds() - days * DAY)).filter(
      ({ id }) => IS_ID.test(id),
    )
    const left = new Map(old.map((file) => [file.id, file]))
    if (left.size > 0) await runInTurns(strikeOutUsed(this.#options.storage, left))
    return [...left.values()]
  }

  async remove(days: number): Promise<{ removed: number; bytes: number }> {
    const found = await this.find(days)
    for (const [place, { id }] of found.entries()) {
      await this.#options.remove(id)
      if (place % STEP === STEP - 1) await nextTurn()
    }
    return { removed: found.length, bytes: found.reduce((sum, { size }) => sum + size, 0) }
  }
}
