import type { Token } from 'node-llama-cpp'
import { EngineFault } from './fault.ts'
import type { Fields } from '../../lib/is-record.ts'

/** A token with the logarithm of its probability, in the format of this protocol. */
interface ScoredToken {
  readonly token: string
  readonly logprob: number
  readonly bytes: readonly number[]
}

export interface TokenScore extends ScoredToken {
  readonly top_logprobs: readonly ScoredToken[]
}

const MOST_ALTERNATIVES = 20
/** Logarithm for a token the model gave no probability, as other services write it. */
const LEAST = -9999

/** Returns how many alternatives of each token a call requests; null if it wants no probabilities. */
export function readAlternatives({ logprobs, top_logprobs: top }: Fields): number | null {
  if (logprobs !== true) return null
  if (top === undefined || top === null) return 0
  if (typeof top !== 'number' || !Number.isInteger(top) || top < 0 || top > MOST_ALTERNATIVES)
    throw new EngineFault(
      400,
      `The field "top_logprobs" must be a whole number up to ${MOST_ALTERNATIVES}.`,
    )
  return top
}

interface Noted {
  readonly token: Token
  readonly score: TokenScore
}

/** Probabilities of the tokens a model generates, until the text of the tokens is passed on. */
export class Probabilities {
  readonly #alternatives: number
  readonly #toText: (token: Token, before: readonly Token[]) => string
  #before: readonly Token[] = []
  #noted: Noted[] = []

  /** `toText` needs the tokens before, because the first one of a text loses its space. */
  constructor(alternatives: number, toText: (token: Token, before: readonly Token[]) => string) {
    this.#alternatives = alternatives
    this.#toText = toText
  }

  /** Records a token; the probabilities are sorted, the highest first. */
  note(token: Token, probabilities: ReadonlyMap<Token, number>): void {
    const top = [...probabilities].slice(0, this.#alternatives)
    this.#noted.push({
      token,
      score: {
        ...this.#toScored(token, probabilities.get(token)),
        top_logprobs: top.map(([other, share]) => this.#toScored(other, share)),
      },
    })
    this.#before = [token]
  }

  /** Returns the scores of the next tokens of the text; skips tokens that are not part of it. */
  take(tokens: readonly Token[]): TokenScore[] {
    return tokens.flatMap((token) => {
      const place = this.#noted.findIndex((noted) => noted.token === token)
      if (place === -1) return []
      const { score } = this.#noted[place]!
      this.#noted = this.#noted.slice(place + 1)
      return [score]
    })
  }

  #toScored(token: Token, share = 0): ScoredToken {
    const text = this.#toText(token, this.#before)
    const logprob = share > 0 ? Math.max(Math.log(share), LEAST) : LEAST
    return { token: text, logprob, bytes: [...Buffer.from(text)] }
  }
}
