import type { RequestRecord } from '#contract/requests.ts'

/** Field names of a count in the different protocols, most common first. */
const PROMPT = /"(?:prompt_tokens|input_tokens|prompt_eval_count)"\s*:\s*(\d+)/g
const COMPLETION = /"(?:completion_tokens|output_tokens|eval_count)"\s*:\s*(\d+)/g
const TOTAL = /"total_tokens"\s*:\s*(\d+)/g

/** Counts grow during a stream, so the last one is used. */
function last(pattern: RegExp, text: string): number | null {
  const found = [...text.matchAll(pattern)].at(-1)?.[1]
  return found === undefined ? null : Number(found)
}

/**
 * Returns the token counts at the end of a response, in any of the protocols; null if it has none.
 */
export function readUsage(text: string | null): RequestRecord['usage'] {
  if (text === null) return null
  const prompt = last(PROMPT, text)
  const completion = last(COMPLETION, text)
  if (prompt === null && completion === null) return null
  const sum = prompt !== null && completion !== null ? prompt + completion : null
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: last(TOTAL, text) ?? sum,
  }
}
