import { EXTERNAL_EVENT_TYPES } from '#contract/events.ts'
import type {
  ChatCompletionChunk,
  ChatCompletionRequest,
  CompletedRequest,
} from '#contract/completions.ts'
import type { CallOrigin } from '../lib/call-origin.ts'
import type { Caller, Route } from '../lib/http.ts'
import { isRecord } from '../lib/is-record.ts'
import type { Logger } from '../lib/logger.ts'
import { readPluginEvent } from '../lib/plugin-events.ts'
import type { Models, ResolvedModel } from '../models/index.ts'
import type { Backend, OfferedModel, Providers } from '../providers/index.ts'
import { callFilter, toPipelineUser } from './call-filter.ts'
import { createPipelineRoutes, isPipelinesServer } from './routes.ts'

/** A request pipelines may take part in. */
export interface PipelineContext extends CallOrigin {
  readonly resolved: ResolvedModel
}

/** The filters of pipelines servers for one request (see `RequestFilters` of completions). */
export interface PipelineFilters {
  readonly inlets: readonly ((body: ChatCompletionRequest) => Promise<ChatCompletionRequest>)[]
  readonly stream: readonly ((chunk: ChatCompletionChunk) => ChatCompletionChunk | null)[]
}

/** Pipelines servers among the connected providers (plugin contract §4.4). */
export interface Pipelines {
  /** The filters that apply to a model, and its own where it is a pipeline; null without any. */
  filters(context: PipelineContext): PipelineFilters | null
  /**
   * What a pipeline needs to answer: who asks, and somebody to take its events. Null for every
   * other model.
   */
  pipe(context: PipelineContext): PipelineFilters | null
  /** Whether a filter looks at the answers of this model. */
  takesPart(finished: {
    readonly caller: Caller
    readonly model: string
  }): boolean | Promise<boolean>
  /** Has the filters of the model look at a finished conversation. */
  outlet(
    body: CompletedRequest,
    contact: FilterTrace['origin'] & Pick<CallOrigin, 'signal'>,
  ): Promise<CompletedRequest>
  readonly routes: readonly Route[]
}

/** What the domain is built from. */
export interface PipelinesDependencies {
  readonly providers: Pick<Providers, 'backends' | 'pipelineFilters'>
  readonly models: Pick<Models, 'resolve'>
  readonly dataDir: string
  readonly log: Logger
  /** Notes what a filter was given and gave back, and how long it took. */
  readonly trace: <Value>(about: FilterTrace, work: () => Promise<Value>) => Promise<Value>
}

/** One look of a filter at a request or at a finished conversation. */
export interface FilterTrace {
  readonly origin: Pick<CallOrigin, 'caller' | 'chatId' | 'messageId'>
  readonly store: 'function'
  readonly id: string
  readonly hook: 'inlet' | 'outlet'
  readonly input: unknown
}

const OUTLET_MILLISECONDS = 60_000
/** What a pipe may send to the windows; questions and code are not among it. */
const EVENT_TYPES: ReadonlySet<unknown> = new Set(EXTERNAL_EVENT_TYPES)

/** Builds the domain; it keeps nothing of its own. */
export function createPipelines({
  providers,
  models,
  dataDir,
  log,
  trace,
}: PipelinesDependencies): Pipelines {
  const backendOf = ({ provider }: OfferedModel): Backend | null =>
    providers
      .backends('compatible')
      .find(({ connectionId }) => connectionId === provider.connectionId) ?? null
  const parts = { backendOf, log }

  const haveServers = (): boolean => providers.backends('compatible').some(isPipelinesServer)

  /** A filter names models by the id people use, or by the one their provider does. */
  function filtersFor({ entry, publicId, model }: ResolvedModel): readonly OfferedModel[] {
    const filters = providers.pipelineFilters()
    if (filters.length === 0) return filters
    const ids = new Set(['*', entry.id, publicId, model.id])
    return filters.filter((filter) => filter.model.pipeline!.targets.some((id) => ids.has(id)))
  }

  /** Events of a pipe go to the windows, and are no part of the answer. */
  const takeEvent = (
    { tell }: Pick<CallOrigin, 'tell'>,
    chunk: ChatCompletionChunk,
  ): ChatCompletionChunk | null => {
    const event = (chunk as Record<string, unknown>)['event']
    if (!isRecord(event)) return chunk
    const read = EVENT_TYPES.has(event['type']) ? readPluginEvent(event) : null
    if (read) tell(read)
    return null
  }

  function look<Body extends object>(
    origin: FilterTrace['origin'],
    filter: OfferedModel,
    call: {
      readonly stage: FilterTrace['hook']
      readonly body: Body
      readonly signal: AbortSignal
      readonly limit?: AbortSignal
    },
  ): Promise<Body> {
    const about = {
      origin,
      store: 'function',
      id: `pipeline:${filter.publicId}`,
      hook: call.stage,
      input: call.body,
    } as const
    return trace(about, () => callFilter(parts, filter, { ...call, caller: origin.caller }))
  }

  /**
   * What looks at the answers of a model: the pipeline itself first, as it was the last to see the
   * question.
   */
  async function outletsOf(caller: Caller, model: string): Promise<readonly OfferedModel[]> {
    if (!haveServers()) return []
    const resolved = await models.resolve(caller, model)
    const filters = filtersFor(resolved)
    return resolved.model.pipeline ? [resolved, ...filters] : filters
  }

  return {
    filters(context) {
      const { resolved, signal } = context
      const isPipe = resolved.model.pipeline !== undefined
      const filters = filtersFor(resolved)
      if (filters.length === 0 && !isPipe) return null
      // The pipeline itself comes last, as it is the one that answers.
      const inOrder = isPipe ? [...filters, resolved] : filters
      return {
        inlets: inOrder.map(
          (filter) => (body: ChatCompletionRequest) =>
            look(context, filter, { stage: 'inlet', body, signal }),
        ),
        stream: [],
      }
    },
    pipe(context) {
      if (context.resolved.model.pipeline === undefined) return null
      return {
        inlets: [(body) => Promise.resolve({ ...body, user: toPipelineUser(context.caller) })],
        stream: [(chunk) => takeEvent(context, chunk)],
      }
    },
    takesPart: ({ caller, model }) =>
      haveServers() && outletsOf(caller, model).then((filters) => filters.length > 0),
    async outlet(body, contact) {
      const inOrder = await outletsOf(contact.caller, body.model)
      const { signal } = contact
      const limit = AbortSignal.timeout(OUTLET_MILLISECONDS)
      let changed = body
      for (const filter of inOrder)
        changed = await look(contact, filter, { stage: 'outlet', body: changed, signal, limit })
      return changed
    },
    routes: createPipelineRoutes({ providers, dataDir }),
  }
}
