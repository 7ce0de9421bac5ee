import type { ChatCompletion } from '#contract/completions.ts'
import type { ModelPrice } from '#contract/model-prices.ts'
import type { CheckCase, CheckEvent, CheckResult } from '#contract/prompt-checks.ts'
import { judgeAnswer } from './judge-answer.ts'
import { costOf } from './find-price.ts'

/** One requested answer. */
export interface Errand {
  readonly check: CheckCase
  readonly model: string
  readonly version: string
  /** The prompt with its placeholders filled. */
  readonly text: string
}

export interface RunOptions {
  readonly complete: (model: string, text: string) => Promise<ChatCompletion>
  /** If null, each model judges its own answers. */
  readonly judge: string | null
  readonly prices: readonly ModelPrice[]
  readonly signal: AbortSignal
  readonly send: (event: CheckEvent) => void
}

/** Maximum number of concurrent answers. */
const AT_ONCE = 3

const textOf = ({ choices }: ChatCompletion): string => choices[0]?.message.content ?? ''
const toCount = (value: unknown): number | null => (typeof value === 'number' ? value : null)
const toSentence = (thrown: unknown): string =>
  thrown instanceof Error && thrown.message !== '' ? thrown.message : String(thrown)

async function runErrand(
  { check, model, version, text }: Errand,
  { complete, judge, prices }: RunOptions,
): Promise<CheckResult> {
  const about = { type: 'result', case: check.name, model, version } as const
  const began = performance.now()
  const elapsed = (): number => Math.round(performance.now() - began) / 1000
  const nothing = { answer: '', isPassed: false, outcomes: [], cost: null }
  let completion: ChatCompletion
  try {
    completion = await complete(model, text)
  } catch (error) {
    const usage = { input: null, output: null }
    return { ...about, ...nothing, fault: toSentence(error), seconds: elapsed(), usage }
  }
  // The time of the judge does not count.
  const seconds = elapsed()
  const answer = textOf(completion)
  const usage = {
    input: toCount(completion.usage?.['prompt_tokens']),
    output: toCount(completion.usage?.['completion_tokens']),
  }
  const ask = async (question: string): Promise<string> =>
    textOf(await complete(judge ?? model, question))
  const outcomes = []
  for (const expectation of check.expectations) {
    try {
      outcomes.push(await judgeAnswer(expectation, answer, ask))
    } catch (error) {
      outcomes.push({ expectation, isMet: false, detail: `No verdict: ${toSentence(error)}` })
    }
  }
  return {
    ...about,
    answer,
    fault: null,
    isPassed: outcomes.every(({ isMet }) => isMet),
    outcomes,
    seconds,
    usage,
    cost: costOf(prices, model, usage),
  }
}

/**
 * Collects the answers, a few at once, and sends each result as it arrives; stops when the signal
 * aborts.
 */
export async function runChecks(errands: readonly Errand[], options: RunOptions): Promise<void> {
  const { signal, send } = options
  const waiting = [...errands]
  let passed = 0
  send({ type: 'begun', total: errands.length })
  const work = async (): Promise<void> => {
    for (let errand = waiting.shift(); errand && !signal.aborted; errand = waiting.shift()) {
      const result = await runErrand(errand, options)
      if (signal.aborted) return
      if (result.isPassed) passed += 1
      send(result)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  if (!signal.aborted) send({ type: 'done', passed, failed: errands.length - passed })
}
