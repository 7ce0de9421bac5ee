import type { Caller } from '../lib/http.ts'
import type { CompletionsParts } from './index.ts'
import { normalizeUsage } from './normalize-usage.ts'

/** Reports the tokens of one answer to whoever keeps the books of the caller. */
export function countUsage(
  { usage: books }: Pick<CompletionsParts, 'usage'>,
  caller: Caller,
  usage: Record<string, unknown> | null | undefined,
): void {
  if (!books || !usage || !books.isCounted(caller)) return
  const { input_tokens: input, output_tokens: output, total_tokens: total } = normalizeUsage(usage)
  books.count(caller, { input_tokens: Number(input), output_tokens: Number(output), total_tokens: Number(total) })
}
