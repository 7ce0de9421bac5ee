import type { Step } from './step.ts'
import { collectNames, fillNames } from './template-names.ts'
import { withSystem } from './with-system.ts'

/**
 * Puts the system prompts of the model's preset, of the folder and of features in front, their
 * names filled.
 */
export const applyPrompts: Step = (request, context) => {
  const prompts = [context.preset()?.system ?? '', ...(context.prompts?.() ?? [])].filter(
    (prompt) => prompt.trim() !== '',
  )
  if (prompts.length === 0) return request
  const names = collectNames(request.variables ?? {}, context)
  const system = prompts.map((prompt) => fillNames(prompt, names)).join('\n')
  return { ...request, messages: withSystem(request.messages, system) }
}
