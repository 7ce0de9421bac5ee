import type { ChatModelFunctions, GbnfJsonSchema, Llama, LlamaGrammar } from 'node-llama-cpp'
import { isRecord } from '../../lib/is-record.ts'
import { EngineFault } from './fault.ts'

/** Permitted form of an answer: anything, text of a grammar, or tool calls as well. */
export interface AnswerForm {
  readonly grammar?: LlamaGrammar
  readonly functions?: ChatModelFunctions
}

async function toGrammar(llama: Llama, format: unknown): Promise<LlamaGrammar> {
  if (format === 'json') return llama.getGrammarFor('json')
  if (!isRecord(format))
    throw new EngineFault(400, 'The field "format" must be "json" or a JSON schema.')
  try {
    // The schema comes from the caller, so its shape is unknown here.
    return await llama.createGrammarForJsonSchema(format as { readonly type: 'object' })
  } catch (error) {
    throw new EngineFault(
      400,
      'The JSON schema in "format" cannot be followed by the engine.',
      error,
    )
  }
}

function toFunctions(tools: readonly unknown[]): ChatModelFunctions {
  const rows = tools.filter(isRecord).flatMap(({ function: tool }) => {
    if (!isRecord(tool) || typeof tool['name'] !== 'string') return []
    const description = tool['description']
    const params = isRecord(tool['parameters']) ? (tool['parameters'] as GbnfJsonSchema) : undefined
    return [
      [
        tool['name'],
        {
          ...(typeof description === 'string' && { description }),
          ...(params !== undefined && { params }),
        },
      ] as const,
    ]
  })
  return Object.fromEntries(rows)
}

const isSaid = (format: unknown): boolean =>
  format !== undefined && format !== null && format !== ''

/** Returns the form that a call requests with `format` and `tools`. */
export async function chooseForm(
  llama: Llama,
  { format, tools }: { readonly format?: unknown; readonly tools?: unknown },
): Promise<AnswerForm> {
  const hasTools = Array.isArray(tools) && tools.length > 0
  if (isSaid(format) && hasTools)
    throw new EngineFault(400, 'Ask for a format or for tools, not for both at once.')
  if (isSaid(format)) return { grammar: await toGrammar(llama, format) }
  return hasTools ? { functions: toFunctions(tools) } : {}
}
