import type { ServerResponse } from 'node:http'
import {
  type Exchange,
  type FakeUpstream,
  playSteps,
  reply,
  sendPlain,
  startFakeServer,
  toScriptInput,
} from './fake-server.ts'
import { playScenario, SCENARIO_NAMES } from './scenarios.ts'
import type { Script, ScriptInput, Step } from './script.ts'

export interface FakeMessagesOptions {
  models?: readonly string[]
  script?: Script
  /** When set, requests with another `x-api-key` get 401. */
  key?: string
}

const event = (type: string, fields: Record<string, unknown>): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`

type Kind = 'content' | 'reasoning' | 'tool'
type Piece = Extract<Step, { kind: Kind }>

const isPiece = (step: Step): step is Piece => ['content', 'reasoning', 'tool'].includes(step.kind)

function toBlock(step: Piece): Record<string, unknown> {
  if (step.kind === 'content') return { type: 'text', text: '' }
  if (step.kind === 'reasoning') return { type: 'thinking', thinking: '', signature: '' }
  return { type: 'tool_use', id: step.id ?? 'toolu_1', name: step.name, input: {} }
}

function toDelta(step: Piece): Record<string, unknown> {
  if (step.kind === 'content') return { type: 'text_delta', text: step.text }
  if (step.kind === 'reasoning') return { type: 'thinking_delta', thinking: step.text }
  return { type: 'input_json_delta', partial_json: JSON.stringify(step.arguments) }
}

/** Writes steps as blocks, each closed before the next one starts. */
function createBlockWriter() {
  let open: Kind | null = null
  let index = -1
  const close = (): string => (open === null ? '' : event('content_block_stop', { index }))
  return {
    write(step: Step): string | null {
      if (step.kind === 'error')
        return event('error', { error: { type: 'api_error', message: step.message } })
      if (!isPiece(step)) return null
      let text = ''
      if (open !== step.kind || step.kind === 'tool') {
        text = close()
        open = step.kind
        index += 1
        text += event('content_block_start', { index, content_block: toBlock(step) })
      }
      return text + event('content_block_delta', { index, delta: toDelta(step) })
    },
    close,
  }
}

const usageOf = (steps: readonly Step[]) => steps.findLast((step) => step.kind === 'usage')
const stopReason = (steps: readonly Step[]) =>
  steps.some(({ kind }) => kind === 'tool') ? 'tool_use' : 'end_turn'

async function streamReply(
  response: ServerResponse,
  steps: readonly Step[],
  input: ScriptInput,
): Promise<void> {
  const usage = usageOf(steps)
  const blocks = createBlockWriter()
  const head = {
    id: 'msg_fake',
    type: 'message',
    role: 'assistant',
    model: input.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  response.write(
    event('message_start', {
      message: { ...head, usage: { input_tokens: usage?.prompt ?? 0, output_tokens: 1 } },
    }),
  )
  response.write(event('ping', {}))
  if (!(await playSteps(response, steps, (step) => blocks.write(step)))) return
  if (steps.some((step) => step.kind === 'error')) return void response.end()
  const delta = { stop_reason: stopReason(steps), stop_sequence: null }
  response.write(
    blocks.close() +
      event('message_delta', { delta, usage: { output_tokens: usage?.completion ?? 0 } }),
  )
  response.end(event('message_stop', {}))
}

async function wholeReply(
  response: ServerResponse,
  steps: readonly Step[],
  input: ScriptInput,
): Promise<void> {
  const usage = usageOf(steps)
  const failed = steps.find((step) => step.kind === 'error')
  if (!(await playSteps(response, steps, () => null))) return
  if (failed)
    return reply(response, 500, {
      type: 'error',
      error: { type: 'api_error', message: failed.message },
    })
  const joined = (kind: 'content' | 'reasoning') =>
    steps.map((step) => (step.kind === kind ? step.text : '')).join('')
  const calls = steps.filter((step) => step.kind === 'tool')
  reply(response, 200, {
    id: 'msg_fake',
    type: 'message',
    role: 'assistant',
    model: input.model,
    content: [
      ...(joined('reasoning')
        ? [{ type: 'thinking', thinking: joined('reasoning'), signature: 'signed' }]
        : []),
      ...(joined('content') ? [{ type: 'text', text: joined('content') }] : []),
      ...calls.map((step) => ({
        type: 'tool_use',
        id: step.id ?? 'toolu_1',
        name: step.name,
        input: step.arguments,
      })),
    ],
    stop_reason: stopReason(steps),
    stop_sequence: null,
    usage: { input_tokens: usage?.prompt ?? 0, output_tokens: usage?.completion ?? 0 },
  })
}

interface ImageBlock {
  readonly type?: unknown
  readonly source?: {
    readonly media_type?: unknown
    readonly data?: unknown
    readonly url?: unknown
  }
}

/** Scripts expect images in the chat completions format. */
function withPlainImages(input: ScriptInput): ScriptInput {
  const toPart = (block: ImageBlock) => {
    if (block.type !== 'image') return block
    const { media_type: type, data, url } = block.source ?? {}
    return {
      type: 'image_url',
      image_url: { url: url ?? `data:${String(type)};base64,${String(data)}` },
    }
  }
  return {
    ...input,
    messages: input.messages.map((message) =>
      Array.isArray(message.content)
        ? { ...message, content: (message.content as ImageBlock[]).map(toPart) }
        : message,
    ),
  }
}

const failure = (type: string, message: string) => ({ type: 'error', error: { type, message } })

/** Starts a scripted remote provider with the messages API. */
export function startFakeMessages(options: FakeMessagesOptions = {}): Promise<FakeUpstream> {
  const models = options.models ?? SCENARIO_NAMES
  const script = options.script ?? playScenario

  async function answer({ recorded, response }: Exchange): Promise<unknown> {
    if (!recorded.json)
      return reply(response, 400, failure('invalid_request_error', 'The body is no JSON.'))
    const input = withPlainImages(toScriptInput(recorded.json, false))
    if (!options.script && !models.includes(input.model))
      return reply(response, 404, failure('not_found_error', `model: ${input.model}`))
    if (typeof recorded.json['max_tokens'] !== 'number') {
      return reply(response, 400, failure('invalid_request_error', 'max_tokens: Field required'))
    }
    const played = await script(input)
    if (sendPlain(response, played)) return undefined
    return input.stream
      ? streamReply(response, played.steps, input)
      : wholeReply(response, played.steps, input)
  }

  return startFakeServer('/v1', async (exchange) => {
    const { recorded, response } = exchange
    if (options.key !== undefined && recorded.headers['x-api-key'] !== options.key) {
      return reply(response, 401, failure('authentication_error', 'invalid x-api-key'))
    }
    switch (`${recorded.method} ${recorded.path}`) {
      case 'GET /v1/models?limit=1000':
        return reply(response, 200, {
          data: models.map((id) => ({
            type: 'model',
            id,
            display_name: id,
            created_at: '2026-02-04T00:00:00Z',
            max_input_tokens: 200_000,
          })),
          has_more: false,
        })
      case 'POST /v1/messages':
        return answer(exchange)
      case 'POST /v1/messages/count_tokens':
        return reply(response, 200, { input_tokens: 42 })
      default:
        return reply(response, 404, failure('not_found_error', `Unknown path ${recorded.path}`))
    }
  })
}
