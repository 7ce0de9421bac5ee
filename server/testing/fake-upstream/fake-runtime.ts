import type { ServerResponse } from 'node:http'
import { completeText } from './fake-compatible.ts'
import {
  type Exchange,
  type FakeUpstream,
  playSteps,
  reply,
  sendPlain,
  startFakeServer,
  toScriptInput,
} from './fake-server.ts'
import { createFakeModels } from './fake-runtime-models.ts'
import { playScenario, SCENARIO_NAMES } from './scenarios.ts'
import type { Script, ScriptInput, Step } from './script.ts'

export interface FakeRuntimeOptions {
  models?: readonly string[]
  script?: Script
  version?: string
  /** Capabilities that `/api/show` reports for every model. */
  capabilities?: readonly string[]
  /** Models that only return embeddings. */
  embeddingModels?: readonly string[]
}

const CREATED_AT = '2024-05-01T12:00:00.123456789Z'

const line = (value: unknown): string => `${JSON.stringify(value)}\n`

function toMessage(step: Step): Record<string, unknown> {
  if (step.kind === 'reasoning') return { role: 'assistant', content: '', thinking: step.text }
  if (step.kind === 'tool') {
    return {
      role: 'assistant',
      content: '',
      tool_calls: [{ function: { name: step.name, arguments: step.arguments } }],
    }
  }
  return { role: 'assistant', content: step.kind === 'content' ? step.text : '' }
}

const head = (input: ScriptInput) => ({ model: input.model, created_at: CREATED_AT })

function toFinalLine(steps: readonly Step[], input: ScriptInput): Record<string, unknown> {
  const usage = steps.findLast((step) => step.kind === 'usage')
  return {
    ...head(input),
    message: { role: 'assistant', content: '' },
    done_reason: 'stop',
    done: true,
    total_duration: 1_200_000_000,
    load_duration: 200_000_000,
    prompt_eval_duration: 100_000_000,
    eval_duration: 700_000_000,
    ...(usage && { prompt_eval_count: usage.prompt, eval_count: usage.completion }),
  }
}

type ToLine = (message: Record<string, unknown>) => Record<string, unknown>

const toChatLine: ToLine = (message) => ({ message })
const toGenerateLine: ToLine = ({ content, thinking }) => ({
  response: content,
  ...(thinking !== undefined && { thinking }),
})

async function scriptedReply(
  response: ServerResponse,
  steps: readonly Step[],
  input: ScriptInput,
  toLine: ToLine,
): Promise<void> {
  if (!input.stream) {
    const content = steps.map((step) => (step.kind === 'content' ? step.text : '')).join('')
    const calls = steps.flatMap((step) =>
      step.kind === 'tool' ? [{ function: { name: step.name, arguments: step.arguments } }] : [],
    )
    const { message: _, ...final } = toFinalLine(steps, input)
    return reply(response, 200, {
      ...final,
      ...toLine({ role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) }),
    })
  }
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  const ended = await playSteps(response, steps, (step) => {
    if (step.kind === 'error') return line({ error: step.message })
    return step.kind === 'usage'
      ? null
      : line({ ...head(input), ...toLine(toMessage(step)), done: false })
  })
  if (!ended) return
  if (steps.some((step) => step.kind === 'error')) return void response.end()
  const { message, ...final } = toFinalLine(steps, input)
  response.end(line({ ...final, ...toLine(message as Record<string, unknown>) }))
}

function toTag(name: string) {
  return {
    name,
    model: name,
    modified_at: CREATED_AT,
    size: 4_661_224_676,
    digest: `digest-of-${name}`,
    details: {
      format: 'gguf',
      family: 'fake',
      families: ['fake'],
      parameter_size: '8.0B',
      quantization_level: 'Q4_0',
    },
  }
}

/** Scripts and remote providers write errors as an object; this upstream uses a plain string. */
function flattenError(body: string): string {
  try {
    const message = (JSON.parse(body) as { error?: { message?: unknown } }).error?.message
    return typeof message === 'string' ? JSON.stringify({ error: message }) : body
  } catch {
    return body
  }
}

/** Starts a scripted local model runtime with its native API. */
export function startFakeRuntime(options: FakeRuntimeOptions = {}): Promise<FakeUpstream> {
  const embedding = options.embeddingModels ?? []
  const known = createFakeModels([...(options.models ?? SCENARIO_NAMES), ...embedding])
  const models = known.names
  const script = options.script ?? playScenario
  const capabilities = options.capabilities ?? ['completion', 'tools', 'thinking', 'vision']

  async function answer({ recorded, response }: Exchange, toLine: ToLine): Promise<unknown> {
    if (!recorded.json) return reply(response, 400, { error: 'invalid JSON' })
    const { prompt } = recorded.json
    const messages =
      typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : recorded.json['messages']
    const input = toScriptInput({ ...recorded.json, messages }, true)
    if (!options.script && !models.includes(input.model))
      return reply(response, 404, { error: `model '${input.model}' not found` })
    const played = await script(input)
    if ('status' in played)
      return sendPlain(response, { ...played, body: flattenError(played.body) })
    return scriptedReply(response, played.steps, input, toLine)
  }

  function show({ recorded, response }: Exchange): unknown {
    const name = String(recorded.json?.['model'] ?? recorded.json?.['name'])
    if (!models.includes(name)) return reply(response, 404, { error: `model '${name}' not found` })
    const info = { 'general.architecture': 'fake', 'fake.context_length': 8192 }
    return reply(response, 200, {
      details: toTag(name).details,
      model_info: info,
      capabilities: embedding.includes(name) ? ['embedding'] : capabilities,
      modified_at: CREATED_AT,
    })
  }

  function embed({ recorded, response }: Exchange): unknown {
    const { input, model } = recorded.json ?? {}
    if (!models.includes(String(model)))
      return reply(response, 404, { error: `model '${String(model)}' not found` })
    const texts = Array.isArray(input) ? input : [input]
    const embeddings = texts.map((text) => [String(text).length, 0.5, -1])
    return reply(response, 200, { model, embeddings, prompt_eval_count: texts.length })
  }

  return startFakeServer('', async (exchange) => {
    if (known.handle(exchange)) return undefined
    const { recorded, response } = exchange
    switch (`${recorded.method} ${recorded.path}`) {
      case 'GET /api/tags':
        return reply(response, 200, { models: models.map(toTag) })
      case 'GET /api/version':
        return reply(response, 200, { version: options.version ?? '0.12.3' })
      case 'POST /api/show':
        return show(exchange)
      case 'POST /api/chat':
        return answer(exchange, toChatLine)
      case 'POST /api/generate':
        return answer(exchange, toGenerateLine)
      case 'POST /api/embed':
        return embed(exchange)
      case 'POST /api/embeddings':
        return reply(response, 200, {
          embedding: [String(recorded.json?.['prompt']).length, 0.5, -1],
        })
      case 'POST /v1/completions':
        return typeof recorded.json?.['prompt'] === 'string'
          ? completeText(response, { ...recorded.json, n: 1, echo: false }, script)
          : reply(response, 400, {
              error: {
                message: 'json: cannot unmarshal array into Go struct field .prompt of type string',
              },
            })
      case 'GET /api/ps':
        return reply(response, 200, {
          models: models
            .slice(0, 1)
            .map((name) => ({ ...toTag(name), size_vram: 1, expires_at: CREATED_AT })),
        })
      default:
        return reply(response, 404, { error: 'not found' })
    }
  })
}
