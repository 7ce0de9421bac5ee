import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Caller } from '../lib/http.ts'
import type { ResolvedModel } from '../models/index.ts'
import type { CompletionsParts } from './index.ts'
import type { Turn } from './open-turn.ts'
import type { StepContext } from './steps/step.ts'

interface ContextOptions {
  readonly caller: Caller
  readonly request: ChatCompletionRequest
  readonly resolved: ResolvedModel
  /** Null for a stateless call. */
  readonly turn: Turn | null
}

/** Most memories a model is told at once. */
const RECALLED = 5

/** What the steps of a request may look at. */
export function toStepContext(parts: CompletionsParts, { caller, request, resolved, turn }: ContextOptions): StepContext {
  const { memories, settings } = parts
  const { features } = request
  const stored = turn?.temporarySession === null ? turn : null
  const hasMemory = Boolean(features?.['memory']) && settings.boolean('ENABLE_MEMORIES')
  return {
    caller,
    now: new Date(),
    resolved,
    thread: () => (stored ? storedThread(parts, stored) : []),
    prompts: () => [stored ? (parts.chats.folderContext(stored.chatId)?.system_prompt ?? '') : '', voicePrompt(parts, features)],
    recall: hasMemory ? (question) => memories.find(caller.userId, question, RECALLED).map(({ content }) => content) : undefined,
  }
}

const voicePrompt = ({ settings }: CompletionsParts, features: ChatCompletionRequest['features']): string =>
  features?.['voice'] && settings.boolean('ENABLE_VOICE_MODE_PROMPT') ? settings.string('VOICE_MODE_PROMPT_TEMPLATE') : ''

function storedThread({ chats }: CompletionsParts, { chatId, parentId }: Turn): ChatCompletionRequest['messages'] {
  return parentId === null ? [] : chats.thread(chatId, parentId).map(({ role, content }) => ({ role, content }))
}
