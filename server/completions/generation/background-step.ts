import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Caller } from '../../lib/http.ts'
import type { ResolvedModel } from '../../extensions/resolved-model.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import type { Turn } from '../open-turn.ts'
import { builtInNames } from '../steps/template-names.ts'
import { askTaskModel, saidBy } from './ask-task-model.ts'
import { countShown, fillTemplate } from './fill-template.ts'
import { KINDS } from './kinds.ts'

/** What is known when something is written beside a finished answer. */
export interface BackgroundWork {
  readonly turn: Turn
  readonly caller: Caller
  /** The model that wrote the answer. */
  readonly resolved: ResolvedModel
  /** The name of the chat when the question was asked; null where no title was wished for. */
  readonly titleBefore: string | null
  /**
   * The last messages up to the answer, without those of the system: so many or more, back to a
   * question; all for `Infinity`.
   */
  readonly readEnd: (count: number) => Promise<ChatCompletionRequest['messages']>
  readonly signal: AbortSignal
}

/** Writes one thing beside a finished answer, without anybody waiting for it. */
export type BackgroundStep = (parts: CompletionsParts, work: BackgroundWork) => Promise<void>

/** What the task model says about the conversation; nothing when that kind is switched off. */
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
