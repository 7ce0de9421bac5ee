import type { ChatCompletion } from '#contract/completions.ts'
import type { CallNotes } from '../../lib/serving/call-notes.ts'
import type { CallOrigin } from '../../lib/call-origin.ts'
import type { Caller } from '../../lib/http.ts'
import type { ResolvedModel } from '../../extensions/resolved-model.ts'
import { createContact } from '../contact.ts'
import { stripGatewayFields } from '../../providers/index.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { filterTask } from './filter-task.ts'

interface Question {
  readonly caller: Caller
  /** Model of the conversation. */
  readonly resolved: ResolvedModel
  readonly prompt: string
  /** Purpose of the call, as passed to pipes (docs/plugin-contract.md). */
  readonly task: TaskName
  readonly signal: AbortSignal
  /** Notes of the requesting call; absent for background work. */
  readonly notes?: CallNotes | null
}

/** Task names of the plugin contract. */
export type TaskName =
  | 'title_generation'
  | 'follow_up_generation'
  | 'tags_generation'
  | 'emoji_generation'
  | 'query_generation'
  | 'image_prompt_generation'
  | 'autocomplete_generation'
  | 'function_calling'
  | 'moa_response_generation'

const TIMEOUT_MS = 60_000
const MAX_TOKENS = 1000

/** Asks the task model; resolves with null if no model can answer. */
export async function askTaskModel(
  parts: CompletionsParts,
  { caller, resolved, prompt, task, signal, notes = null }: Question,
): Promise<ChatCompletion | null> {
  const chosen = await chooseTaskModel(parts, caller, resolved)
  const { provider, model } = chosen
  if (provider.kind === 'guide') return null
  const sent = {
    model: model.id,
    messages: [{ role: 'user', content: prompt }],
    max_tokens: MAX_TOKENS,
    stream: false,
  }
  const ending = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), signal, parts.closing])
  const origin = createTaskOrigin(parts, caller, { sent, task, signal: ending })
  const { body } = await filterTask(parts, origin, chosen)
  return provider.complete({
    model: model.id,
    body: stripGatewayFields(body),
    signal: ending,
    origin,
    notes,
  })
}

/** Returns the origin of such a question, for providers inside the gateway. */
export const createTaskOrigin = (
  parts: CompletionsParts,
  caller: Caller,
  asked: Pick<CallOrigin, 'sent' | 'signal'> & { readonly task: TaskName },
): CallOrigin => ({ ...createContact(parts, { caller, turn: null, sentSession: null }), ...asked })

/** Returns the text of a completion. */
export const saidBy = (completion: ChatCompletion | null): string =>
  completion?.choices[0]?.message.content ?? ''

/**
 * Returns the task model an administrator chose for local or for remote models, otherwise the model
 * of the conversation. It serves all users, whether or not they may select it for a chat, because
 * the prompts are the administrator's.
 */
async function chooseTaskModel(
  { models, settings }: CompletionsParts,
  caller: Caller,
  resolved: ResolvedModel,
): Promise<ResolvedModel> {
  const id = settings.get(resolved.provider.type === 'local' ? 'TASK_MODEL' : 'TASK_MODEL_EXTERNAL')
  if (id === '') return resolved
  try {
    return await models.resolve({ ...caller, role: 'admin' }, id)
  } catch {
    // If the task model no longer exists, the model of the conversation is used.
    return resolved
  }
}
