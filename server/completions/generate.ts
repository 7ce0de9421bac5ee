import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { ResolvedModel } from '../models/index.ts'
import { stripGatewayFields, type CompletionFrame } from '../providers/index.ts'

export interface GenerateOptions {
  readonly resolved: ResolvedModel
  /** Called when the first frame is asked for, so that its failures end the run like those of the provider. */
  readonly prepare: () => ChatCompletionRequest
  readonly signal: AbortSignal
}

/** Asks the provider; frames come as fast as the reader takes them. */
export async function* generate({ resolved, prepare, signal }: GenerateOptions): AsyncGenerator<CompletionFrame, void, void> {
  yield* resolved.provider.stream({ model: resolved.model.id, body: stripGatewayFields(prepare()), signal })
}
