import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Caller } from '../../lib/http.ts'
import type { ResolvedModel } from '../../extensions/resolved-model.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import type { Turn } from '../turn/open-turn.ts'
import { builtInNames } from '../prepare/template-names.ts'
import { askTaskModel, saidBy } from './ask-task-model.ts'
import { countShown, fillTemplate } from './fill-template.ts'
import { KINDS } from './kinds.ts'

/** Context of a text that is generated alongside a finished answer. */
export interface BackgroundWork {
  readonly turn: Turn
  readonly caller: Caller
  /** Model that wrote the answer. */
  readonly resolved: ResolvedModel
  /** Name of the chat when the question was asked; null if no title was requested. */
  readonly titleBefore: string | null
  /**
   * Returns the last messages up to the answer, without system messages: at least `count`, back to
   * a question; all for `Infinity`.
   */
  readonly readEnd: (count: number) => Promise<ChatCompletionRequest['messages']>
  readonly signal: AbortSignal
}

/** Generates one text alongside a finished answer, in the background. */
export type BackgroundStep = (parts: CompletionsParts, work: BackgroundWork) => Promise<void>

/**
 * Returns the task model's reply about the conversation; an empty text if that kind is switched
 * off.
 */
export async function askAboutThread(
  parts: CompletionsParts,
  kind: 'title' | 'tags' | 'follow_up',
  { caller, resolved, readEnd, signal }: BackgroundWork,
): Promise<string> {
  const { switchKey, template: toTemplate, task } = KINDS[kind]
  if (switchKey && !parts.settings.get(switchKey())) return ''
  const template = toTemplate(parts.settings)
  const messages = await readEnd(countShown(template))
  const prompt = fillTemplate(template, {
    messages,
    names: builtInNames(caller),
  })
  return saidBy(await askTaskModel(parts, { caller, resolved, prompt, task, signal }))
}
