import type { Auth } from '../auth/index.ts'
import type { Caller } from '../lib/http.ts'
import { estimateCall } from '../lib/text/estimate-call.ts'

/** Stores token usage of keys with a daily cap. */
export type TokenBooks = Auth

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

/** Start of a line of a stream, each of which has about one token. */
const LINE = /\n[^\s]/g

/** A relayed call whose tokens are counted. */
interface CountedCall {
  readonly caller: Caller
  readonly body: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
}

/**
 * Lets `relay` pass its bytes to a counter if the caller's key has a cap; all others are relayed
 * unread.
 */
export async function countTokens(
  books: TokenBooks,
  { caller, body, signal }: CountedCall,
  relay: (watch?: (chunk: Buffer) => void) => Promise<void>,
): Promise<void> {
  const { keyId } = caller
  if (keyId === null || !(await isCounted(books, caller))) return relay()
  const { prompt, answer } = estimateCall(body)
  const kept = await books.apiKeys.reserveTokens(keyId, prompt + answer)
  let tail = Buffer.alloc(0)
  let lines = 0
  try {
    await relay((chunk) => {
      tail = Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES)
      lines += chunk.toString('latin1').match(LINE)?.length ?? 0
    })
  } finally {
    const reported = readTokens(tail.toString('latin1'))
    // A provider also charges for an answer whose reader left before the report.
    kept.settle(reported || (signal.aborted ? prompt + lines : 0))
  }
}
