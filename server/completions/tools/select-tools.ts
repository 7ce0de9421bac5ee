import type { ChatCompletionRequest, Source } from '#contract/completions.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Exchange } from '../exchange.ts'
import type { ToolBelt } from '../../extensions/tool-belt.ts'
import { askTaskModel, saidBy } from '../follow-up/ask-task-model.ts'
import { fillTemplate } from '../follow-up/fill-template.ts'
import { readField, withoutReasoning } from '../follow-up/read-json.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { builtInNames } from '../prepare/template-names.ts'
import { callTools, type FinishedCall, type WrittenCall } from './call-tools.ts'
import { parseArguments } from './parse-arguments.ts'

const MOST_CALLS = 10
const TOOLS = /\{\{\s*TOOLS\s*\}\}/

/**
 * Asks the task model which tools fit the question, and runs them before the answer; their results
 * become sources of it.
 */
export async function runToolsAhead(
  parts: CompletionsParts,
  exchange: Exchange,
  belt: ToolBelt,
  request: ChatCompletionRequest,
): Promise<void> {
  try {
    const calls = await selectCalls(parts, exchange, belt, request)
    if (calls.length === 0) return
    const finished = await callTools(exchange, belt, calls, {
      signal: exchange.signal,
      messages: request.messages,
    })
    exchange.signal.throwIfAborted()
    exchange.addSources(finished.flatMap((one) => toSources(belt, one)))
    for (const { result } of finished) {
      if (result.files?.length) exchange.tell({ type: 'files', data: { files: result.files } })
      if (result.embeds?.length) exchange.tell({ type: 'embeds', data: { embeds: result.embeds } })
    }
  } finally {
    await belt.close?.()
  }
}

async function selectCalls(
  parts: CompletionsParts,
  exchange: Exchange,
  belt: ToolBelt,
  { messages }: ChatCompletionRequest,
): Promise<WrittenCall[]> {
  const { caller, resolved, signal } = exchange
  const specs = JSON.stringify(belt.specs)
  // Filled first and by a function, so that `$` and braces in a description have no special
  // meaning.
  const template = parts.settings.get('TOOLS_FUNCTION_CALLING_PROMPT_TEMPLATE')
  const names = new Map([...builtInNames(caller), ['TOOLS', specs]])
  const prompt = fillTemplate(TOOLS.test(template) ? template : `${template}\n\n{{TOOLS}}`, {
    messages,
    names,
  })
  try {
    return readCalls(
      saidBy(
        await askTaskModel(parts, { caller, resolved, prompt, task: 'function_calling', signal }),
      ),
    )
  } catch (error) {
    if (signal.aborted) throw error
    parts.log.info({ error }, 'the tools could not be selected; the answer continues without tools')
    return []
  }
}

/**
 * Parses `{"tool_calls": [{"name", "parameters"}]}`, or a single call, because models sometimes
 * omit the list.
 */
export function readCalls(said: string): WrittenCall[] {
  const text = withoutReasoning(said)
  const listed = readField(text, 'tool_calls')
  const single = () => [
    { name: readField(text, 'name'), parameters: readField(text, 'parameters') },
  ]
  const entries: unknown[] = Array.isArray(listed) ? listed : single()
  return entries.slice(0, MOST_CALLS).flatMap((entry, index) => {
    if (!isRecord(entry) || typeof entry['name'] !== 'string' || entry['name'] === '') return []
    const parameters = entry['parameters'] ?? entry['arguments'] ?? {}
    return [
      {
        id: `call_${index + 1}`,
        name: entry['name'],
        text: typeof parameters === 'string' ? parameters : JSON.stringify(parameters),
      },
    ]
  })
}

function toSources(belt: ToolBelt, { call, result }: FinishedCall): Source[] {
  const isKnown = belt.specs.some(({ name }) => name === call.name)
  const name = isKnown ? belt.originOf(call.name) : call.name
  const parameters = parseArguments(call.text) ?? {}
  const own: Source = {
    source: { name },
    document: [result.text],
    metadata: [{ source: name, name, parameters }],
    tool_result: true,
  }
  return [own, ...(result.sources ?? [])]
}
