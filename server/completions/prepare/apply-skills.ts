import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import type { Exchange } from '../exchange.ts'
import { findSkills } from '../tools/skill-tool.ts'
import type { Step } from './step.ts'
import { withSystem } from './with-system.ts'

/** Prepends the full text of the skills a request names. */
export const applySkills: Step = (parts, exchange, request) =>
  parts.skills && exchange.sent.skill_ids?.length
    ? withSkills(parts.skills, exchange, request)
    : request

const toAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** Tags with which the text of a skill could end its block, or begin that of another skill. */
const TAG = /<(?=\s*\/?\s*skill\b)/gi

async function withSkills(
  skills: NonNullable<CompletionsParts['skills']>,
  exchange: Exchange,
  request: ChatCompletionRequest,
): Promise<ChatCompletionRequest> {
  const named = [...new Set(exchange.sent.skill_ids)]
  const found = await findSkills(skills, exchange, named)
  if (found.length === 0) return request
  for (const { name } of found)
    exchange.tell({
      type: 'status',
      data: { action: 'skill', name, description: `Read the skill "${name}".`, done: true },
    })
  const texts = found.map(
    ({ name, content }) =>
      `<skill name="${toAttribute(name)}">\n${content.replace(TAG, '&lt;')}\n</skill>`,
  )
  return { ...request, messages: withSystem(request.messages, texts.join('\n')) }
}
