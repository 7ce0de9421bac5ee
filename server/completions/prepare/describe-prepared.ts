import type { OfferedTool } from '../../extensions/request-context.ts'
import type { ToolBelt } from '../../extensions/tool-belt.ts'
import type { Step } from './step.ts'
import { textOf } from '../message-text.ts'

const describeTools = (belt: ToolBelt | null): OfferedTool[] =>
  (belt?.specs ?? []).map((spec) => ({
    toolId: belt!.originOf(spec.name).split('/', 1)[0]!,
    spec,
  }))

/** Lets extensions read what is known of the request when its tools are there. */
export const describePrepared: Step = (_parts, exchange, request) => {
  const { messages } = request
  const textOfLast = (role: string): string | null => {
    const message = messages.findLast((candidate) => candidate.role === role)
    return message ? textOf(message['content']) : null
  }
  exchange.prepared = () => ({
    userPrompt: textOfLast('user'),
    systemPrompt: textOfLast('system'),
    sources: exchange.findings.sources,
    tools: describeTools(exchange.belt),
  })
  return request
}
