/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number

/** What the encoding treats as one stretch, near enough: a word with what stands before it, digits by threes, signs, white space. */
const STRETCH = /[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]{1,40}|\p{N}{1,3}| ?[^\s\p{L}\p{N}]{1,40}[\r\n/]*|\s+/gu
const LARGEST_CACHE = 100_000

/**
 * Loads the encoding of current models, some 0.2 s and 30 MB, so only ever in a thread. Counts of stretches are remembered, which is
 * three times as fast as encoding and differs by some tokens in ten thousand.
 */
export async function createTokenCounter(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  const known = new Map<string, number>()
  const options = { disallowedSpecial: new Set<string>() }

  return (text) => {
    let sum = 0
    for (const stretch of text.match(STRETCH) ?? []) {
      let count = known.get(stretch)
      if (count === undefined) {
        count = countTokens(stretch, options)
        if (known.size >= LARGEST_CACHE) known.clear()
        known.set(stretch, count)
      }
      sum += count
    }
    return sum
  }
}

/** Sizes in characters, for those who count that way. */
export const countCharacters: CountTokens = (text) => text.length
