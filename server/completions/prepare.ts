import type { ChatCompletionRequest } from '#contract/completions.ts'
import { applyParams } from './steps/apply-params.ts'
import { applyPrompts } from './steps/apply-prompts.ts'
import { applyVariables } from './steps/apply-variables.ts'
import { fillThread } from './steps/fill-thread.ts'
import { recallMemories } from './steps/recall-memories.ts'
import type { Step, StepContext } from './steps/step.ts'

/**
 * Everything that happens to a request before the model sees it, in order (plugin contract §4.1).
 */
const STEPS: readonly Step[] = [
  fillThread,
  (request, { restore }) => restore?.(request) ?? request,
  applyParams,
  applyVariables,
  (request, { filter }) => filter?.(request) ?? request,
  recallMemories,
  applyPrompts,
  (request, { equip }) => equip?.(request) ?? request,
  (request, { show }) => show?.(request) ?? request,
  // With the pictures of the question, which may be the ones to edit.
  (request, { draw }) => draw?.(request) ?? request,
  // Last, so that nothing cuts or searches what documents say.
  (request, { inform }) => inform?.(request) ?? request,
  // What the model cannot read itself, also where nobody uploaded it.
  (request, { readDocuments }) => readDocuments?.(request) ?? request,
]

/**
 * Makes a request ready for its model; the same object comes back when no step had anything to do.
 * A promise only when a step had to wait for something, so that an ordinary call is on its way
 * within the same turn of the event loop.
 */
export function prepareRequest(
  request: ChatCompletionRequest,
  context: StepContext,
): ChatCompletionRequest | Promise<ChatCompletionRequest> {
  return runSteps(0, request, context)
}

function runSteps(
  first: number,
  request: ChatCompletionRequest,
  context: StepContext,
): ChatCompletionRequest | Promise<ChatCompletionRequest> {
  let prepared = request
  for (let index = first; index < STEPS.length; index += 1) {
    const next = STEPS[index]!(prepared, context)
    if (next instanceof Promise) return next.then((done) => runSteps(index + 1, done, context))
    prepared = next
  }
  return prepared
}
