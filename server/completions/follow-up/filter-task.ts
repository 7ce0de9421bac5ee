import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { CallOrigin } from '../../lib/call-origin.ts'
import type { ResolvedModel } from '../../extensions/resolved-model.ts'
import { runInOrder } from '../prepare/apply-filters.ts'
import type { StreamFilter } from '../../extensions/filters.ts'
import type { CompletionsParts } from '../completions-parts.ts'

/** Request of a small task as its model receives it, and the filters of the answer's chunks. */
export interface FilteredTask {
  readonly body: ChatCompletionRequest
  readonly stream: readonly StreamFilter[]
}

/**
 * Passes the request of a small task through the filters that apply to such requests. The chosen
 * model is kept.
 */
export async function filterTask(
  { taskFilters, pipes }: CompletionsParts,
  origin: CallOrigin,
  resolved: ResolvedModel,
): Promise<FilteredTask> {
  const context = { ...origin, resolved }
  const chosen = [await taskFilters?.(context), await pipes?.(context)].filter(
    (filters) => filters != null,
  )
  const inlets = chosen.flatMap((filters) => filters.inlets)
  if (inlets.length === 0) return { body: origin.sent, stream: [] }
  const body = await runInOrder(inlets, { ...origin.sent, model: resolved.publicId })
  return {
    body: { ...body, model: resolved.model.id },
    stream: chosen.flatMap((filters) => filters.stream),
  }
}
