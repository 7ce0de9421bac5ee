import type { Exchange } from '../exchange.ts'
import type { ToolBelt, ToolSpec } from '../../extensions/tool-belt.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { openSpace, runForModel } from './run-for-model.ts'

export const CODE_TOOL = 'execute_code'

const SPEC: ToolSpec = {
  name: CODE_TOOL,
  description:
    'Runs Python and answers what it printed, the value of its last line, or its error with the line it is about. Variables stay between the calls of one conversation. ' +
    'Attached files lie in /mnt/uploads; what is written there is given to the person. Figures of matplotlib are shown by themselves. There is no network, and no package can be installed.',
  parameters: {
    type: 'object',
    properties: { code: { type: 'string', description: 'The Python to run.' } },
    required: ['code'],
  },
}

/** Adds the code tool to the tools of a request. An existing tool of the same name is kept. */
export function withCodeTool(
  parts: CompletionsParts,
  exchange: Exchange,
  belt: ToolBelt | null,
): ToolBelt {
  const others = belt?.specs ?? []
  if (belt && others.some(({ name }) => name === CODE_TOOL)) return belt
  const space = openSpace(parts, exchange)
  return {
    specs: [...others, SPEC],
    originOf: (name) =>
      name === CODE_TOOL ? `code_interpreter/${CODE_TOOL}` : belt!.originOf(name),
    isParallel: (name) => name !== CODE_TOOL && belt!.isParallel(name),
    approve: async (call, ask) =>
      call.name === CODE_TOOL ? 'allow' : ((await belt!.approve?.(call, ask)) ?? 'allow'),
    async call(call, run) {
      if (call.name !== CODE_TOOL) return belt!.call(call, run)
      const { code } = call.arguments
      if (typeof code !== 'string')
        return {
          text: 'The argument `code` is missing: the Python to run, as a text.',
          isError: true,
        }
      const { text, files, result } = await runForModel(parts, exchange, {
        code,
        space: space.name,
      })
      return { text, files, isError: result.status !== 'ok' }
    },
    async close() {
      await space.close()
      await belt?.close?.()
    },
  }
}
