import type { ChatCompletionRequest } from '#contract/completions.ts'
import { ServiceError, upstreamFailed } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { isRecord } from '../../lib/is-record.ts'
import {
  collectCompletion,
  type CompletionCall,
  type CompletionFrame,
  type Provider,
  type ProviderModel,
} from '../../providers/index.ts'
import { askApproval } from '../../extensions/ask-approval.ts'
import { hasModel, type RequestContext } from '../../extensions/request-context.ts'
import type { ToolBelt } from '../../extensions/tool-belt.ts'
import type { Runner } from '../calls/runner.ts'
import type { ToolsOfCall } from '../calls/hook-call.ts'
import type { PluginRecord } from '../store.ts'
import { PluginFailure } from '../worker/faults.ts'
import { OrderedOutput } from './ordered-output.ts'
import type { LaterRooms } from '../later-rooms.ts'
import { FrameMaker } from './to-frames.ts'

type Frames = AsyncGenerator<CompletionFrame, void, void>

export interface PipeProviderDependencies {
  readonly runner: Runner
  /** Returns the current plugin; null once it is deleted. */
  readonly find: () => PluginRecord | null
  readonly listModels: () => Promise<ProviderModel[]>
  readonly later: Pick<LaterRooms, 'openTools'>
}

function toFault(error: unknown, record: PluginRecord): unknown {
  if (error instanceof ServiceError) return error
  const message = error instanceof Error ? error.message : String(error)
  return upstreamFailed(`${record.name}: ${message}`, { code: 'pipe_failed', cause: error })
}

/** `__tools__` of a request without tools is empty, because pipes iterate over it unchecked. */
const NO_TOOLS: ToolsOfCall = {
  given: [],
  call: (name) => Promise.reject(new Error(`There is no tool "${name}".`)),
}

/** `__tools__` of a pipe. */
function toTools(belt: ToolBelt | null, origin: RequestContext, messages: unknown): ToolsOfCall {
  if (!belt) return NO_TOOLS
  const thread = (Array.isArray(messages) ? messages : []) as ChatCompletionRequest['messages']
  return {
    given: belt.specs.map((spec) => ({
      name: spec.name,
      tool_id: belt.originOf(spec.name).split('/', 1)[0],
      spec,
    })),
    async call(name, args, signal) {
      if (!belt.specs.some((spec) => spec.name === name))
        throw new Error(`There is no tool "${name}".`)
      const call = { id: `call_${newId()}`, name, arguments: args }
      const decision =
        (await belt.approve?.(call, () => askApproval(origin, call, signal))) ?? 'allow'
      if (decision === 'deny') throw new Error('The person did not allow this call.')
      const { text } = await belt.call(call, { signal, messages: thread })
      return { value: text }
    },
  }
}

/** Describes where the model runs. The guide is no real model and can only explain. */
const describeSource = ({
  id,
  name,
  builtIn,
}: PluginRecord): Pick<Provider, 'connectionId' | 'kind' | 'name'> =>
  builtIn
    ? { connectionId: id, kind: 'guide', name: 'Built in' }
    : { connectionId: `plugin:${id}`, kind: 'pipe', name }

/** The code of a pipe receives requests unchanged. */
const ABILITIES: Provider['abilities'] = {
  documents: 'all',
  continuesAnswers: false,
  countsApart: false,
}

/** Creates the provider of a pipe, whose code writes the answer. */
export function createPipeProvider(
  { runner, find, listModels, later }: PipeProviderDependencies,
  first: PluginRecord,
): Provider {
  async function* stream({ model, body, signal, origin }: CompletionCall): Frames {
    const record = find()
    if (!record || !origin)
      throw upstreamFailed('This pipe is no longer in use.', { code: 'pipe_failed' })
    const maker = new FrameMaker({ model, tell: (event) => output.tell(event) })
    const output = new OrderedOutput(origin, maker.silence())
    const { tell } = output
    const stopped = new AbortController()
    const context = hasModel(origin) ? origin : null
    const belt = context && (await later.openTools(context))
    const running = runner.call({
      record,
      op: 'pipe',
      fields: { body: { ...body, model } },
      input: { ...body, model },
      caller: origin.caller,
      origin,
      // A reader that stops early stops the pipe as well.
      signal: AbortSignal.any([signal, stopped.signal]),
      messages: Array.isArray(body['messages']) ? body['messages'] : [],
      tools: context ? toTools(belt, context, body['messages']) : NO_TOOLS,
      tell,
      onItems: (items) => output.push(items.flatMap((item) => maker.item(item))),
    })
    const ended = running.then(
      ({ value }) => {
        void output.push(maker.end(value))
        output.end()
      },
      (error: unknown) => output.end(error),
    )
    let hasBegun = false
    try {
      for await (const frame of output.frames()) {
        hasBegun = true
        yield frame
      }
    } catch (error) {
      if (signal.aborted) return
      const fault = toFault(error, record) as ServiceError
      if (!hasBegun) throw fault
      yield { error: { message: fault.message, code: fault.code, status: fault.status } }
    } finally {
      stopped.abort()
      await belt?.close?.()
      void ended
    }
  }

  return {
    ...describeSource(first),
    abilities: ABILITIES,
    type: 'local',
    listModels,
    stream,
    complete: (call) => collectCompletion(stream(call), call),
    async check() {
      const started = performance.now()
      const models = await listModels().catch((error: unknown) =>
        error instanceof PluginFailure ? error : Promise.reject(error),
      )
      const milliseconds = Math.round(performance.now() - started)
      if (models instanceof PluginFailure)
        return { ok: false, detail: models.message, version: null, models: [], milliseconds }
      return {
        ok: true,
        detail: `${models.length} models`,
        version: null,
        models: models.map(({ id }) => id),
        milliseconds,
      }
    },
  }
}

/** Returns a model of a pipe. */
export const toPipeModel = (id: string, name: string, record: PluginRecord): ProviderModel => ({
  id,
  name,
  created: record.createdAt,
  ownedBy: 'openai',
  description:
    isRecord(record.meta) && typeof record.meta['description'] === 'string'
      ? record.meta['description']
      : null,
  contextLength: null,
  maxOutputTokens: null,
  capabilities: {},
})
