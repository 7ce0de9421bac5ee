import type { ChatHistoryItem, ChatModelFunctionCall } from 'node-llama-cpp'
import { isRecord, type Fields } from '../../lib/is-record.ts'
import { EngineFault } from './fault.ts'

type ModelItem = Extract<ChatHistoryItem, { type: 'model' }>

const textOf = (message: Fields): string =>
  typeof message['content'] === 'string' ? message['content'] : ''

function requireNoImages(message: Fields): void {
  if (Array.isArray(message['images']) && message['images'].length > 0)
    throw new EngineFault(
      400,
      'This model cannot look at pictures. Choose another one, or send the text alone.',
    )
}

function toCalls(message: Fields): ChatModelFunctionCall[] {
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'].filter(isRecord) : []
  return calls.flatMap(({ function: called }) =>
    isRecord(called) && typeof called['name'] === 'string'
      ? [
          {
            type: 'functionCall',
            name: called['name'],
            params: called['arguments'],
            result: undefined,
          },
        ]
      : [],
  )
}

/**
 * Returns the call that a result belongs to: the first open one with its name, else the first open
 * one.
 */
function findOpenCall(history: readonly ChatHistoryItem[], name: unknown) {
  const last = history.findLast((item) => item.type === 'model') as ModelItem | undefined
  const open = (last?.response ?? []).filter(
    (part): part is ChatModelFunctionCall =>
      typeof part !== 'string' && part.type === 'functionCall' && part.result === undefined,
  )
  return open.find((call) => call.name === name) ?? open[0]
}

/** Converts a conversation of this protocol to the format of the library. */
export function toHistory(messages: unknown): ChatHistoryItem[] {
  if (!Array.isArray(messages) || !messages.every(isRecord))
    throw new EngineFault(400, 'The field "messages" must be a list of messages.')
  const history: ChatHistoryItem[] = []
  for (const message of messages) {
    requireNoImages(message)
    const text = textOf(message)
    const role = message['role']
    if (role === 'system') history.push({ type: 'system', text })
    else if (role === 'assistant')
      history.push({
        type: 'model',
        response: [...(text === '' ? [] : [text]), ...toCalls(message)],
      })
    else if (role === 'tool') {
      const call = findOpenCall(history, message['tool_name'] ?? message['name'])
      if (call) call.result = text
      else history.push({ type: 'user', text })
    } else history.push({ type: 'user', text })
  }
  return history
}
