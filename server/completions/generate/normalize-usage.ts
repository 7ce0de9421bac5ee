/**
 * Adds the second naming of the token counts, so that readers of stored messages need to know only
 * one.
 */
export function normalizeUsage(usage: Record<string, unknown>): Record<string, unknown> {
  const input = toCount(usage['input_tokens'] ?? usage['prompt_tokens'])
  const output = toCount(usage['output_tokens'] ?? usage['completion_tokens'])
  return {
    ...usage,
    input_tokens: input,
    output_tokens: output,
    total_tokens: toCount(usage['total_tokens'] ?? input + output),
  }
}

const toCount = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0
