import type { ServerResponse } from 'node:http'
import { type Exchange, type FakeUpstream, playSteps, reply, sendPlain, startFakeServer, toScriptInput } from './fake-server.ts'
import { playScenario, SCENARIO_NAMES } from './scenarios.ts'
import type { Script, ScriptInput, Step } from './script.ts'

export interface FakeRuntimeOptions {
  models?: readonly string[]
  script?: Script
  version?: string
  /** Capabilities `/api/show` tells for every model. */
  capabilities?: readonly string[]
}

const CREATED_AT = '2024-05-01T12:00:00.123456789Z'

const line = (value: unknown): string => `${JSON.stringify(value)}\n`

function toMessage(step: Step): Record<string, unknown> {
  if (step.kind === 'reasoning') return { role: 'assistant', content: '', thinking: step.text }
  if (step.kind === 'tool') {
    return { role: 'assistant', content: '', tool_calls: [{ function: { name: step.name, arguments: step.arguments } }] }
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

async function chatReply(response: ServerResponse, steps: readonly Step[], input: ScriptInput): Promise<void> {
  if (!input.stream) {
    const content = steps.map((step) => (step.kind === 'content' ? step.text : '')).join('')
    return reply(response, 200, { ...toFinalLine(steps, input), message: { role: 'assistant', content } })
  }
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  const ended = await playSteps(response, steps, (step) => {
    if (step.kind === 'error') return line({ error: step.message })
    return step.kind === 'usage' ? null : line({ ...head(input), message: toMessage(step), done: false })
  })
  if (!ended) return
  if (steps.some((step) => step.kind === 'error')) return void response.end()
  response.end(line(toFinalLine(steps, input)))
}

function toTag(name: string) {
  return {
    name,
    model: name,
    modified_at: CREATED_AT,
    size: 4_661_224_676,
    digest: `digest-of-${name}`,
    details: { format: 'gguf', family: 'fake', families: ['fake'], parameter_size: '8.0B', quantization_level: 'Q4_0' },
  }
}

/** Scripts and providers of remote kind write errors as an object; this upstream has a plain string. */
function flattenError(body: string): string {
  try {
    const message = (JSON.parse(body) as { error?: { message?: unknown } }).error?.message
    return typeof message === 'string' ? JSON.stringify({ error: message }) : body
  } catch {
    return body
  }
}

/** A local model runtime with its native API, scripted. */
export function startFakeRuntime(options: FakeRuntimeOptions = {}): Promise<FakeUpstream> {
  const models = options.models ?? SCENARIO_NAMES
  const script = options.script ?? playScenario
  const capabilities = options.capabilities ?? ['completion', 'tools', 'thinking', 'vision']

  function chat({ recorded, response }: Exchange): unknown {
    if (!recorded.json) return reply(response, 400, { error: 'invalid JSON' })
    const input = toScriptInput(recorded.json, true)
    if (!options.script && !models.includes(input.model)) return reply(response, 404, { error: `model '${input.model}' not found` })
    const answer = script(input)
    if ('status' in answer) return sendPlain(response, { ...answer, body: flattenError(answer.body) })
    return chatReply(response, answer.steps, input)
  }

  function show({ recorded, response }: Exchange): unknown {
    const name = String(recorded.json?.['model'] ?? recorded.json?.['name'])
    if (!models.includes(name)) return reply(response, 404, { error: `model '${name}' not found` })
    const info = { 'general.architecture': 'fake', 'fake.context_length': 8192 }
    return reply(response, 200, { details: toTag(name).details, model_info: info, capabilities, modified_at: CREATED_AT })
  }

  return startFakeServer('', (exchange) => {
    const { recorded, response } = exchange
    switch (`${recorded.method} ${recorded.path}`) {
      case 'GET /api/tags':
        return reply(response, 200, { models: models.map(toTag) })
      case 'GET /api/version':
        return reply(response, 200, { version: options.version ?? '0.12.3' })
      case 'POST /api/show':
        return show(exchange)
      case 'POST /api/chat':
        return chat(exchange)
      default:
        return reply(response, 404, { error: 'not found' })
    }
  })
}
