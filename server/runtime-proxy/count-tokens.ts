import type { Auth } from '../auth/index.ts'
import type { Caller } from '../lib/http.ts'

/** Stores token usage of keys with a daily cap. */
export type TokenBooks = Pick<Auth, 'apiKeys' | 'keyUses'>

/** Counts are near the end of an answer. */
const TAIL_BYTES = 16 * 1024
const TOTAL = ['total_tokens'] as const
const PARTS = ['prompt_eval_count', 'eval_count'] as const

/** Inside JSON strings quotes are escaped, so that no text of a model can look like a field. */
function lastNumber(text: string, field: string): number {
  const found = [...text.matchAll(new RegExp(`"${field}"\\s*:\\s*(\\d{1,12})`, 'g'))].at(-1)
  return found ? Number(found[1]) : 0
}

const sum = (text: string, fields: readonly string[]): number =>
  fields.reduce((total, field) => total + lastNumber(text, field), 0)

/** Returns the tokens that an answer of either kind reports at its end. */
export const readTokens = (tail: string): number => sum(tail, TOTAL) || sum(tail, PARTS)

export const isCounted = async (books: TokenBooks, { keyId }: Caller): Promise<boolean> =>
  keyId !== null && (await books.apiKeys.hasTokenCap(keyId))

/**
 * Lets `relay` pass its bytes to a counter if the caller's key has a cap; all others are relayed
 * unread.
 */
export async function countTokens(
  books: TokenBooks,
  caller: Caller,
  relay: (watch?: (chunk: Buffer) => void) => Promise<void>,
): Promise<void> {
  const { keyId } = caller
  if (keyId === null || !(await isCounted(books, caller))) return relay()
  let tail = Buffer.alloc(0)
  try {
    await relay((chunk) => {
      tail = Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES)
    })
  } finally {
    const tokens = readTokens(tail.toString('latin1'))
    if (tokens > 0) books.keyUses.addTokens(keyId, tokens)
  }
}
