import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Exchange } from './exchange.ts'
import type { CompletionsParts } from './completions-parts.ts'
import { drawAhead } from './pictures/draw-ahead.ts'
import { inform } from './sources/inform.ts'
import { readDocuments } from './sources/read-documents.ts'
import { showPictures } from './sources/show-pictures.ts'
import { applyFilters } from './steps/apply-filters.ts'
import { applyParams } from './steps/apply-params.ts'
import { applyPrompts } from './steps/apply-prompts.ts'
import { applySkills } from './steps/apply-skills.ts'
import { applyVariables } from './steps/apply-variables.ts'
import { continueAnswer, withoutBegun } from './steps/continue-answer.ts'
import { fillThread } from './steps/fill-thread.ts'
import { recallMemories } from './steps/recall-memories.ts'
import { restoreCalls } from './steps/restore-calls.ts'
import type { Step } from './steps/step.ts'
import { equip } from './tools/equip.ts'

/** Everything that happens to a request before the model sees it, in order. */
const STEPS: readonly Step[] = [
  withoutBegun,
  fillThread,
  restoreCalls,
  applyParams,
  applyVariables,
  applyFilters,
  recallMemories,
  applyPrompts,
  applySkills,
  equip,
  showPictures,
  // With the pictures of the question, which may be the ones to edit.
  drawAhead,
  // Last, so that nothing cuts or searches what documents say.
  inform,
  // What the model cannot read itself, also where nobody uploaded it.
  readDocuments,
  // Behind everything that looks for the last question.
  continueAnswer,
]

/** What a workspace model brings along, for questions that nothing else takes part in. */
const PRESET_STEPS: readonly Step[] = [applyParams, applyVariables, applyPrompts]

/**
 * Makes the request of an exchange ready for its model; the object that was sent comes back when no
 * step had anything to do. A promise only when a step had to wait for something, so that an
 * ordinary call is on its way within the same turn of the event loop.
 */
export const prepareRequest = (
  parts: CompletionsParts,
  exchange: Exchange,
): ChatCompletionRequest | Promise<ChatCompletionRequest> =>
  runSteps(STEPS, { parts, exchange, request: exchange.sent, first: 0 })

/** The same with the preset of the model alone. */
export const preparePreset = (
  parts: CompletionsParts,
  exchange: Exchange,
): ChatCompletionRequest | Promise<ChatCompletionRequest> =>
  runSteps(PRESET_STEPS, { parts, exchange, request: exchange.sent, first: 0 })

interface Progress {
  readonly parts: CompletionsParts
  readonly exchange: Exchange
  readonly request: ChatCompletionRequest
  /** Index of the step to begin with. */
  readonly first: number
}

function runSteps(
  steps: readonly Step[],
  { parts, exchange, request, first }: Progress,
): ChatCompletionRequest | Promise<ChatCompletionRequest> {
  let prepared = request
  for (let index = first; index < steps.length; index += 1) {
    const next = steps[index]!(parts, exchange, prepared)
    if (next instanceof Promise)
      return next.then((done) =>
        runSteps(steps, { parts, exchange, request: done, first: index + 1 }),
      )
    prepared = next
  }
  return prepared
}
