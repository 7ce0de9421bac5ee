import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { tellTurn } from '../contact.ts'
import type { Turn } from '../turn/open-turn.ts'

const SENTENCES = {
  web_search: 'Web search is not set up on this gateway; the model answers without it.',
  image_generation: 'Image generation is not set up on this gateway; the model answers without it.',
  code_interpreter: 'Running code is switched off on this gateway; the model answers without it.',
} as const

function isThere({ settings, library, code, images }: CompletionsParts, action: string): boolean {
  if (action === 'web_search') return library !== undefined && settings.get('ENABLE_WEB_SEARCH')
  if (action === 'code_interpreter')
    return code !== undefined && settings.get('ENABLE_CODE_INTERPRETER')
  const hasImages = settings.get('ENABLE_IMAGE_GENERATION') || settings.get('ENABLE_IMAGE_EDIT')
  return action === 'image_generation' && images !== undefined && hasImages
}

const FEATURES = Object.keys(SENTENCES) as (keyof typeof SENTENCES)[]

/** Reports in the status line of the answer which requested features are not available. */
export async function noteMissingFeatures(
  parts: CompletionsParts,
  turn: Turn,
  features: ChatCompletionRequest['features'],
): Promise<void> {
  if (!features) return
  for (const action of FEATURES) {
    const description = SENTENCES[action]
    if (features[action] && !isThere(parts, action))
      await tellTurn(parts, turn, { type: 'status', data: { action, description, done: true } })
  }
}
