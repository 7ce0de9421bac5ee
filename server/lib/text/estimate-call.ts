import { isRecord } from '../is-record.ts'
import { estimateTokens, textTokens } from './estimate-tokens.ts'

type Body = Readonly<Record<string, unknown>>

/** Tokens that a call is expected to use, before its provider has counted them. */
export interface CallEstimate {
  readonly prompt: number
  /** The most its answer may have, by the request. */
  readonly answer: number
}

/** Length assumed for the answer to a request that sets no limit. */
const ASSUMED_ANSWER = 4096
/** Fields that limit an answer, in the formats of providers. */
const LIMITS = ['max_completion_tokens', 'max_tokens', 'max_output_tokens', 'num_predict'] as const

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0

const recordsOf = (value: unknown): readonly Body[] =>
  Array.isArray(value) ? value.filter(isRecord) : []

/** Returns the tokens of plain texts, which may be lists and may consist of token numbers. */
function plainTokens(value: unknown): number {
  if (typeof value === 'string') return textTokens(value)
  if (!Array.isArray(value)) return 0
  if (typeof value[0] === 'number') return value.length
  return value.reduce<number>(
    (sum, part) => sum + (Array.isArray(part) ? part.length : plainTokens(part)),
    0,
  )
}

/** Estimates the tokens of the texts that a model reads. */
export function estimatePrompt({ messages, system, tools, prompt, input }: Body): number {
  const plain = plainTokens(prompt) + plainTokens(input)
  return plain + estimateTokens({ messages: recordsOf(messages), system, tools: recordsOf(tools) })
}

const promptsIn = (prompt: unknown): number =>
  Array.isArray(prompt) && typeof prompt[0] !== 'number' ? Math.max(1, prompt.length) : 1

function answerTokens(body: Body): number {
  const options = isRecord(body['options']) ? body['options'] : {}
  const limit = LIMITS.map((name) => body[name] ?? options[name]).find(isCount)
  const answers = Math.max(1, ...[body['n'], body['best_of']].filter(isCount))
  return Math.ceil((limit ?? ASSUMED_ANSWER) * answers * promptsIn(body['prompt']))
}

/** Estimates what a call for an answer uses at most. */
export const estimateCall = (body: Body): CallEstimate => ({
  prompt: estimatePrompt(body),
  answer: answerTokens(body),
})
