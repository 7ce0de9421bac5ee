import { EXTERNAL_EVENT_TYPES } from '#contract/events.ts'
import type {
  ChatCompletionChunk,
  ChatCompletionRequest,
  CompletedRequest,
} from '#contract/completions.ts'
import type { Finished, RequestFilters } from '../extensions/filters.ts'
import type { RequestContext, RunningContact } from '../extensions/request-context.ts'
import type { ResolvedModel } from '../extensions/resolved-model.ts'
import type { TracedWork, TraceWork } from '../extensions/traced-work.ts'
import type { CallOrigin } from '../lib/call-origin.ts'
import type { Caller, Route } from '../lib/http.ts'
import { isRecord } from '../lib/is-record.ts'
import type { Logger } from '../lib/logger.ts'
import { readPluginEvent } from '../lib/plugin-events.ts'
import type { Models } from '../models/index.ts'
import type { Backend, OfferedModel, Providers } from '../providers/index.ts'
import { callFilter, toPipelineUser, type FilterCall, type FilterParts } from './call-filter.ts'
import { createPipelineRoutes, isPipelinesServer } from './routes.ts'

export interface PipelinesDependencies {
  readonly providers: Providers
  readonly models: Pick<Models, 'resolve'>
  readonly dataDir: string
  readonly log: Logger
  /** Records the input, output and duration of a filter. */
  readonly trace: TraceWork
}

const OUTLET_MILLISECONDS = 60_000
/** Events a pipe may send to windows; questions and code are excluded. */
const EVENT_TYPES: ReadonlySet<unknown> = new Set(EXTERNAL_EVENT_TYPES)

/** Sends the events of a pipe to windows and removes them from the answer. */
function takeEvent(
  { tell }: Pick<CallOrigin, 'tell'>,
  chunk: ChatCompletionChunk,
): ChatCompletionChunk | null {
  const event = (chunk as Record<string, unknown>)['event']
  if (!isRecord(event)) return chunk
  const read = EVENT_TYPES.has(event['type']) ? readPluginEvent(event) : null
  if (read) tell(read)
  return null
}

/** Pipelines servers among the connected providers. */
export class Pipelines {
  readonly #providers: Providers
  readonly #models: Pick<Models, 'resolve'>
  readonly #trace: TraceWork
  readonly #parts: FilterParts
  readonly routes: readonly Route[]

  constructor({ providers, models, dataDir, log, trace }: PipelinesDependencies) {
    this.#providers = providers
    this.#models = models
    this.#trace = trace
    this.#parts = { backendOf: (filter) => this.#backendOf(filter), log }
    this.routes = createPipelineRoutes({ providers, dataDir })
  }

  /**
   * Returns the filters that apply to a model, including its own if it is a pipeline; null if there
   * are none.
   */
  filters(context: RequestContext): RequestFilters | null {
    const { resolved, signal } = context
    const isPipe = resolved.model.pipeline !== undefined
    const filters = this.#filtersFor(resolved)
    if (filters.length === 0 && !isPipe) return null
    // The pipeline itself comes last, because it writes the answer.
    const inOrder = isPipe ? [...filters, resolved] : filters
    return {
      inlets: inOrder.map(
        (filter) => (body: ChatCompletionRequest) =>
          this.#callFilter(context, filter, { stage: 'inlet', body, signal }),
      ),
      stream: [],
    }
  }

  /** Passes the caller to a pipeline, and receives its events. Null for every other model. */
  pipe(context: RequestContext): RequestFilters | null {
    if (context.resolved.model.pipeline === undefined) return null
    return {
      inlets: [(body) => Promise.resolve({ ...body, user: toPipelineUser(context.caller) })],
      stream: [(chunk) => takeEvent(context, chunk)],
    }
  }

  /** Returns true if a filter processes the answers of this model. */
  takesPart(finished: Finished): boolean | Promise<boolean> {
    const { caller, model } = finished
    return (
      this.#haveServers() && this.#outletsOf(caller, model).then((filters) => filters.length > 0)
    )
  }

  /** Passes a finished conversation through the filters of its model. */
  async outlet(body: CompletedRequest, contact: RunningContact): Promise<CompletedRequest> {
    const inOrder = await this.#outletsOf(contact.caller, body.model)
    const { signal } = contact
    const limit = AbortSignal.timeout(OUTLET_MILLISECONDS)
    let changed = body
    for (const filter of inOrder)
      changed = await this.#callFilter(contact, filter, {
        stage: 'outlet',
        body: changed,
        signal,
        limit,
      })
    return changed
  }

  #backendOf({ provider }: OfferedModel): Backend | null {
    return (
      this.#providers
        .backends('compatible')
        .find(({ connectionId }) => connectionId === provider.connectionId) ?? null
    )
  }

  #haveServers(): boolean {
    return this.#providers.backends('compatible').some(isPipelinesServer)
  }

  /** A filter names models by the public id, or by the provider's. */
  #filtersFor({ entry, publicId, model }: ResolvedModel): readonly OfferedModel[] {
    const filters = this.#providers.pipelineFilters()
    if (filters.length === 0) return filters
    const ids = new Set(['*', entry.id, publicId, model.id])
    return filters.filter((filter) => filter.model.pipeline!.targets.some((id) => ids.has(id)))
  }

  #callFilter<Body extends object>(
    origin: TracedWork['origin'],
    filter: OfferedModel,
    call: Omit<FilterCall<Body>, 'caller'>,
  ): Promise<Body> {
    const about = {
      origin,
      store: 'function',
      id: `pipeline:${filter.publicId}`,
      hook: call.stage,
      input: call.body,
    } as const
    return this.#trace(about, () =>
      callFilter(this.#parts, filter, { ...call, caller: origin.caller }),
    )
  }

  /**
   * Returns the filters of answers: the pipeline itself first, because it was the last to see the
   * question.
   */
  async #outletsOf(caller: Caller, model: string): Promise<readonly OfferedModel[]> {
    if (!this.#haveServers()) return []
    const resolved = await this.#models.resolve(caller, model)
    const filters = this.#filtersFor(resolved)
    return resolved.model.pipeline ? [resolved, ...filters] : filters
  }
}
