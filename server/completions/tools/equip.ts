import type { ChatCompletionRequest } from '#contract/completions.ts'
import { withCodeTool } from '../code/code-tool.ts'
import { openSpace, runForModel } from '../code/run-for-model.ts'
import { whenReady } from '../../lib/timing/when-ready.ts'
import { bringsTools } from '../deliver/function-calls.ts'
import type { Exchange } from '../exchange.ts'
import type { ToolBelt } from '../../extensions/tool-belt.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { offerPictures } from '../pictures/draw-ahead.ts'
import { withSystem } from '../prepare/with-system.ts'
import { callsNatively } from './calls-natively.ts'
import { skillIdsOf, withSkillTool } from './skill-tool.ts'
import { runToolsAhead } from './select-tools.ts'

type Request = ChatCompletionRequest

/**
 * Gives the model the tools the request names. Tool definitions of the caller take precedence: they
 * are forwarded, and no tools run on the gateway.
 */
export const equip = (
  parts: CompletionsParts,
  exchange: Exchange,
  sent: Request,
): Request | Promise<Request> =>
  whenReady(offerPictures(parts, exchange, sent), (request) =>
    equipWithTools(parts, exchange, request),
  )

function equipWithTools(
  parts: CompletionsParts,
  exchange: Exchange,
  request: Request,
): Request | Promise<Request> {
  const hasOwn = bringsTools(exchange.sent)
  const runsCode =
    Boolean(request.features?.['code_interpreter']) &&
    parts.code !== undefined &&
    parts.settings.get('ENABLE_CODE_INTERPRETER')
  // The gateway cannot add a tool to tools that the caller runs itself.
  const byTool = runsCode && !hasOwn && callsNatively(exchange)
  const ready = runsCode && !byTool ? letWriteCode(parts, exchange, request) : request
  if (hasOwn) return ready
  return whenReady(parts.tools?.(exchange, request) ?? null, (opened) =>
    whenReady(addSkills(parts, exchange, opened), (found) => {
      const belt = byTool ? withCodeTool(parts, exchange, found) : found
      return belt ? offerBelt(parts, exchange, belt, ready) : ready
    }),
  )
}

/** Gives the model access to the skills of its preset. */
function addSkills(
  { skills }: CompletionsParts,
  exchange: Exchange,
  belt: ToolBelt | null,
): ToolBelt | null | Promise<ToolBelt | null> {
  return skills && skillIdsOf(exchange).length > 0 ? withSkillTool(skills, exchange, belt) : belt
}

/** Instructs a model without tools how to have code run, and runs the code it writes. */
function letWriteCode(parts: CompletionsParts, exchange: Exchange, request: Request): Request {
  const space = openSpace(parts, exchange)
  exchange.code = {
    mostRounds: () => parts.settings.get('CODE_INTERPRETER_MAX_ROUNDS'),
    run: (code) => runForModel(parts, exchange, { code, space: space.name }),
    close: space.close,
  }
  return {
    ...request,
    messages: withSystem(request.messages, parts.settings.get('CODE_INTERPRETER_PROMPT_TEMPLATE')),
  }
}

async function offerBelt(
  parts: CompletionsParts,
  exchange: Exchange,
  belt: ToolBelt,
  request: Request,
): Promise<Request> {
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
