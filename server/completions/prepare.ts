import type { ChatCompletionRequest } from '#contract/completions.ts'
import { applyParams } from './steps/apply-params.ts'
import { applyPrompts } from './steps/apply-prompts.ts'
import { applyVariables } from './steps/apply-variables.ts'
import { fillThread } from './steps/fill-thread.ts'
import { recallMemories } from './steps/recall-memories.ts'
import type { Step, StepContext } from './steps/step.ts'

/** Everything that happens to a request before the model sees it, in order. */
const STEPS: readonly Step[] = [fillThread, applyParams, applyVariables, recallMemories, applyPrompts]

/** Makes a request ready for its model; the same object comes back when no step had anything to do. */
export function prepareRequest(request: ChatCompletionRequest, context: StepContext): ChatCompletionRequest {
  return STEPS.reduce((prepared, step) => step(prepared, context), request)
}
