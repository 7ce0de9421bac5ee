import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Exchange } from '../exchange.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { drawAhead } from '../pictures/draw-ahead.ts'
import { inform } from '../sources/inform.ts'
import { readDocuments } from '../sources/read-documents.ts'
import { showPictures } from '../sources/show-pictures.ts'
import { applyFilters } from './apply-filters.ts'
import { applyParams } from './apply-params.ts'
import { applyPrompts } from './apply-prompts.ts'
import { applySkills } from './apply-skills.ts'
import { applyVariables } from './apply-variables.ts'
import { continueAnswer, withoutBegun } from './continue-answer.ts'
import { describePrepared } from './describe-prepared.ts'
import { fillThread } from './fill-thread.ts'
import { recallMemories } from './recall-memories.ts'
import { restoreCalls } from './restore-calls.ts'
import type { Step } from './step.ts'
import { equip } from '../tools/equip.ts'

/** Preparation steps of a request, in order. */
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
  // Before sources are added to the question.
  describePrepared,
  showPictures,
  // Knows the images of the question, which may be the ones to edit.
  drawAhead,
  // After the other steps, so that none of them truncates or searches the text of documents.
  inform,
  // Reads files the model cannot read itself, including those not uploaded to the gateway.
  readDocuments,
  // After all steps that look for the last question.
  continueAnswer,
]

/** Steps of a workspace model's preset, for questions without any other steps. */
const PRESET_STEPS: readonly Step[] = [applyParams, applyVariables, applyPrompts]

/**
 * Prepares the request of an exchange for its model; returns the sent object itself if no step had
 * anything to do. Returns a promise only if a step had to wait, so that an ordinary call is sent
 * within the same turn of the event loop.
 */
export const prepareRequest = (
  parts: CompletionsParts,
  exchange: Exchange,
): ChatCompletionRequest | Promise<ChatCompletionRequest> =>
  runSteps(STEPS, { parts, exchange, request: exchange.sent, first: 0 })

/** Like `prepareRequest`, with only the preset of the model. */
export const preparePreset = (
  parts: CompletionsParts,
  exchange: Exchange,
): ChatCompletionRequest | Promise<ChatCompletionRequest> =>
  runSteps(PRESET_STEPS, { parts, exchange, request: exchange.sent, first: 0 })

interface Progress {
  readonly parts: CompletionsParts
  readonly exchange: Exchange
  readonly request: ChatCompletionRequest
  /** Index of the first step to run. */
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
