import type { ChatCompletionRequest } from '#contract/completions.ts'
import { functionCallingOf } from '../../lib/function-calling.ts'
import type { Exchange } from '../exchange.ts'
import type { ToolBelt } from '../extensions.ts'
import type { CompletionsParts } from '../index.ts'
import { runToolsAhead } from './select-tools.ts'

type Request = ChatCompletionRequest

/** Gives the model the tools the request names. Definitions of the caller win: they are handed on, and nothing is run here. */
export function equip(parts: CompletionsParts, exchange: Exchange, request: Request): Request | Promise<Request> {
  if (exchange.sent.tools && exchange.sent.tools.length > 0) return request
  const opened = parts.tools!(exchange, request)
  if (opened instanceof Promise) return opened.then((belt) => (belt ? offerBelt(parts, exchange, belt, request) : request))
  return opened ? offerBelt(parts, exchange, opened, request) : request
}

async function offerBelt(parts: CompletionsParts, exchange: Exchange, belt: ToolBelt, request: Request): Promise<Request> {
  if (belt.specs.length === 0) {
    await belt.close?.()
    return request
  }
  if (!callsNatively(exchange)) {
    await runToolsAhead(parts, exchange, belt, request)
    return request
  }
  exchange.belt = belt
  const functions = belt.specs.map((spec) => ({ type: 'function', function: spec }))
  return { ...request, tools: [...(request.tools ?? []), ...functions] }
}

const callsNatively = ({ sent, resolved: { preset, model } }: Exchange): boolean =>
  functionCallingOf({ params: sent.params, preset: preset?.params, capabilities: model.capabilities }) === 'native'
