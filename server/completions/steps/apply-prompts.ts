import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Exchange } from '../exchange.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import type { Step } from './step.ts'
import { collectNames, fillNames } from './template-names.ts'
import { withSystem } from './with-system.ts'

/**
 * Puts the system prompts of the model's preset, of the folder and of features in front, their
 * names filled.
 */
export const applyPrompts: Step = async (parts, exchange, request) => {
  const prompts = [
    exchange.resolved.preset?.system ?? '',
    await folderPrompt(parts, exchange),
    voicePrompt(parts, exchange.sent),
  ].filter((prompt) => prompt.trim() !== '')
  if (prompts.length === 0) return request
  const names = await collectNames(parts, exchange, request.variables ?? {})
  const system = prompts.map((prompt) => fillNames(prompt, names)).join('\n')
  return { ...request, messages: withSystem(request.messages, system) }
}

const folderPrompt = async ({ chats }: CompletionsParts, { turn }: Exchange): Promise<string> =>
  turn?.temporarySession === null
    ? ((await chats.folderContext(turn.chatId))?.system_prompt ?? '')
    : ''

const voicePrompt = ({ settings }: CompletionsParts, { features }: ChatCompletionRequest): string =>
  features?.['voice'] && settings.get('ENABLE_VOICE_MODE_PROMPT')
    ? settings.get('VOICE_MODE_PROMPT_TEMPLATE')
    : ''
