import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Exchange } from '../exchange.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import type { Step } from './step.ts'
import { collectNames, NameFiller } from './template-names.ts'
import { mapWhenReady, whenReady } from '../../lib/timing/when-ready.ts'
import { withSystem } from './with-system.ts'

/**
 * Prepends the system prompts of the model's preset, of the folder and of features, with their
 * variables filled in.
 */
export const applyPrompts: Step = (parts, exchange, request) =>
  whenReady(folderPrompt(exchange), (ofFolder) =>
    withPrompts(parts, exchange, { request, ofFolder }),
  )

function withPrompts(
  parts: CompletionsParts,
  exchange: Exchange,
  { request, ofFolder }: { readonly request: ChatCompletionRequest; readonly ofFolder: string },
): ChatCompletionRequest | Promise<ChatCompletionRequest> {
  const prompts = [
    exchange.resolved.preset?.system ?? '',
    ofFolder,
    voicePrompt(parts, exchange.sent),
  ].filter((prompt) => prompt.trim() !== '')
  if (prompts.length === 0) return request
  return whenReady(collectNames(parts, exchange, request.variables ?? {}), (names) => {
    const filler = new NameFiller(names)
    return whenReady(
      mapWhenReady(prompts, (prompt) => filler.fill(prompt)),
      (filled) => ({
        ...request,
        messages: withSystem(request.messages, filled.join('\n')),
      }),
    )
  })
}

const folderPrompt = ({ turn, folder }: Exchange): string | Promise<string> =>
  turn?.temporarySession === null ? folder().then((said) => said?.system_prompt ?? '') : ''

const voicePrompt = ({ settings }: CompletionsParts, { features }: ChatCompletionRequest): string =>
  features?.['voice'] && settings.get('ENABLE_VOICE_MODE_PROMPT')
    ? settings.get('VOICE_MODE_PROMPT_TEMPLATE')
    : ''
