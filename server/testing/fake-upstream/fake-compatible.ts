import { mapInOrder } from '../../lib/in-order.ts'
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

type RowFields = Readonly<Record<string, unknown>>

export interface FakeCompatibleOptions {
  /** Ids in the model list; every scenario by default. */
  models?: readonly string[]
  script?: Script
  /** When set, requests without this bearer key get 401. */
  key?: string
  /** Further fields of each row of the model list, or of those of one model. */
  modelFields?: RowFields | ((id: string) => RowFields)
}

const CREATED = 1_700_000_000

const frame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

const toUsage = (step: Extract<Step, { kind: 'usage' }>) => ({
  prompt_tokens: step.prompt,
  completion_tokens: step.completion,
  total_tokens: step.prompt + step.completion,
})

const toToolCall = (step: Extract<Step, { kind: 'tool' }>) => ({
  id: step.id ?? 'call_1',
  type: 'function',
  function: { name: step.name, arguments: JSON.stringify(step.arguments) },
})

function toDelta(step: Step): Record<string, unknown> | null {
  if (step.kind === 'content') return { content: step.text }
  if (step.kind === 'reasoning') return { reasoning_content: step.text }
  if (step.kind === 'tool') return { tool_calls: [{ index: 0, ...toToolCall(step) }] }
  return null
}

function toFrames(step: Step, input: ScriptInput): string | null {
  const head = {
    id: 'chatcmpl-fake',
    object: 'chat.completion.chunk',
    created: CREATED,
    model: input.model,
  }
  if (step.kind === 'error')
    return frame({ error: { message: step.message, type: 'server_error' } })
  if (step.kind === 'usage') {
    const wanted = (input.body['stream_options'] as { include_usage?: boolean } | undefined)
      ?.include_usage
    return wanted ? frame({ ...head, choices: [], usage: toUsage(step) }) : null
  }
  return frame({
    ...head,
    choices: [{ index: 0, delta: toDelta(step) ?? {}, finish_reason: null }],
  })
}

async function streamReply(
  response: ServerResponse,
  steps: readonly Step[],
  input: ScriptInput,
): Promise<void> {
  const head = {
    id: 'chatcmpl-fake',
    object: 'chat.completion.chunk',
    created: CREATED,
    model: input.model,
  }
  const finish = steps.some((step) => step.kind === 'tool') ? 'tool_calls' : 'stop'
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  response.write(
    frame({
      ...head,
      choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
    }),
  )
  const last = steps.findLast((step) => step.kind === 'usage')
  const body = steps.filter((step) => step !== last)
  if (!(await playSteps(response, body, (step) => toFrames(step, input)))) return
  if (steps.some((step) => step.kind === 'error')) return void response.end()
  response.write(frame({ ...head, choices: [{ index: 0, delta: {}, finish_reason: finish }] }))
  if (last) response.write(toFrames(last, input) ?? '')
  response.end('data: [DONE]\n\n')
}

const joined = (steps: readonly Step[], kind: 'content' | 'reasoning'): string =>
  steps.map((step) => (step.kind === kind ? step.text : '')).join('')

async function wholeReply(
  response: ServerResponse,
  steps: readonly Step[],
  input: ScriptInput,
): Promise<void> {
  const calls = steps.filter((step) => step.kind === 'tool').map(toToolCall)
  const reasoning = joined(steps, 'reasoning')
  const usage = steps.findLast((step) => step.kind === 'usage')
  const failed = steps.find((step) => step.kind === 'error')
  if (!(await playSteps(response, steps, () => null))) return
  if (failed) return reply(response, 500, { error: { message: failed.message } })
  const message = {
    role: 'assistant',
    content: calls.length > 0 ? null : joined(steps, 'content'),
    ...(reasoning && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  reply(response, 200, {
    id: 'chatcmpl-fake',
    object: 'chat.completion',
    created: CREATED,
    model: input.model,
    choices: [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
    ...(usage && { usage: toUsage(usage) }),
  })
}

/**
 * Answers plain text completions: each prompt, `n` times, answered by the script like a message.
 */
export async function completeText(
  response: ServerResponse,
  body: Record<string, unknown>,
  script: Script,
): Promise<unknown> {
  const prompts = [body['prompt']].flat()
  const asked = prompts.flatMap((prompt) =>
    Array.from({ length: Number(body['n'] ?? 1) }, () => prompt),
  )
  const played = await mapInOrder(asked, (prompt) =>
    script(toScriptInput({ ...body, messages: [{ role: 'user', content: prompt }] }, false)),
  )
  for (const answer of played) if (sendPlain(response, answer)) return undefined
  const scripts = played.flatMap((answer) => ('steps' in answer ? [answer.steps] : []))
  const before = (index: number) => (body['echo'] === true ? String(asked[index]) : '')
  const head = {
    id: 'cmpl-fake',
    object: 'text_completion',
    created: CREATED,
    model: body['model'],
  }
  const told = scripts.flat().findLast((step) => step.kind === 'usage')
  const usage = told && toUsage(told)
  if (body['stream'] !== true) {
    for (const steps of scripts)
      if (!(await playSteps(response, steps, () => null))) return undefined
    const choices = scripts.map((steps, index) => ({
      index,
      text: before(index) + joined(steps, 'content'),
      logprobs: null,
      finish_reason: 'stop',
    }))
    return reply(response, 200, { ...head, choices, ...(usage && { usage }) })
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  const piece = (index: number, text: string, finish: string | null = null) =>
    frame({ ...head, choices: [{ index, text, logprobs: null, finish_reason: finish }] })
  for (const [index, steps] of scripts.entries()) {
    if (before(index) !== '') response.write(piece(index, before(index)))
    if (
      !(await playSteps(response, steps, (step) =>
        step.kind === 'content' ? piece(index, step.text) : null,
      ))
    )
      return undefined
    response.write(piece(index, '', 'stop'))
  }
  const { include_usage: isWanted } = (body['stream_options'] ?? {}) as { include_usage?: boolean }
  if (usage && isWanted) response.write(frame({ ...head, choices: [], usage }))
  return response.end('data: [DONE]\n\n')
}

function embed(response: ServerResponse, { input, model }: Record<string, unknown>): void {
  const texts = Array.isArray(input) ? input : [input]
  const data = texts.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: [String(text).length, 0.25],
  }))
  reply(response, 200, {
    object: 'list',
    data,
    model,
    usage: { prompt_tokens: texts.length, total_tokens: texts.length },
  })
}

/** Starts a scripted remote provider with the chat completions API. */
export function startFakeCompatible(options: FakeCompatibleOptions = {}): Promise<FakeUpstream> {
  const models = options.models ?? SCENARIO_NAMES
  const script = options.script ?? playScenario
  const fields = options.modelFields

  async function handle({ recorded, response }: Exchange): Promise<unknown> {
    if (options.key !== undefined && recorded.headers.authorization !== `Bearer ${options.key}`) {
      return reply(response, 401, {
        error: { message: 'Incorrect key provided.', code: 'invalid_api_key' },
      })
    }
    if (recorded.method === 'GET' && recorded.path === '/v1/models') {
      const data = models.map((id) => ({
        id,
        object: 'model',
        created: CREATED,
        owned_by: 'fake',
        ...(typeof fields === 'function' ? fields(id) : fields),
      }))
      return reply(response, 200, { object: 'list', data })
    }
    if (recorded.method === 'POST' && recorded.path === '/v1/embeddings')
      return embed(response, recorded.json ?? {})
    if (recorded.method === 'POST' && recorded.path === '/v1/moderations')
      return reply(response, 200, { results: [{ flagged: false }] })
    if (recorded.method === 'POST' && recorded.path === '/v1/completions')
      return completeText(response, recorded.json ?? {}, script)
    if (recorded.method !== 'POST' || recorded.path !== '/v1/chat/completions') {
      return reply(response, 404, { error: { message: `Unknown path ${recorded.path}` } })
    }
    if (!recorded.json)
      return reply(response, 400, {
        error: { message: 'We could not parse the JSON body of your request.' },
      })
    const input = toScriptInput(recorded.json, false)
    if (!options.script && !models.includes(input.model)) {
      return reply(response, 404, {
        error: { message: `The model \`${input.model}\` does not exist.`, code: 'model_not_found' },
      })
    }
    const answer = await script(input)
    if (sendPlain(response, answer)) return undefined
    return input.stream
      ? streamReply(response, answer.steps, input)
      : wholeReply(response, answer.steps, input)
  }

  return startFakeServer('/v1', handle)
}
