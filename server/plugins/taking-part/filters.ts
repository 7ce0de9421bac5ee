import type {
  ChatCompletionChunk,
  ChatCompletionRequest,
  CompletedRequest,
} from '#contract/completions.ts'
import type { Model } from '#contract/models.ts'
import type {
  Finished,
  Inlet,
  Outlet,
  RequestFilters,
  StreamFilter,
} from '../../extensions/filters.ts'
import type { RequestContext } from '../../extensions/request-context.ts'
import type { CallOrigin } from '../../lib/call-origin.ts'
import { badRequest, ServiceError, upstreamFailed } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import { applySteps } from '../calls/apply-steps.ts'
import type { Records } from '../records.ts'
import type { LaterRooms } from '../later-rooms.ts'
import { resumeState, stateOf } from '../calls/request-state.ts'
import type { Runner } from '../calls/runner.ts'
import type { PluginRecord } from '../store.ts'
import type { ChunkSession } from '../worker/worker.ts'
import { runningFilters } from './choose-functions.ts'

export interface FiltersDependencies {
  readonly records: Records
  readonly runner: Runner
  readonly later: Pick<LaterRooms, 'findModel'>
}

/**
 * Reads the result of a filter, based on its input; anything other than an object is passed on for
 * the pipeline to refuse.
 */
function readBody(given: Record<string, unknown>, value: unknown): unknown {
  if (!isRecord(value)) return null
  if (value['form'] === 'changed') return applySteps(given, value['steps'])
  return value['form'] === 'other' ? value['value'] : null
}

function createInlet(
  { runner }: FiltersDependencies,
  record: PluginRecord,
  context: RequestContext,
): Inlet {
  return async (body) => {
    const state = stateOf(context)
    const given = { ...body, metadata: state.metadata }
    const call = {
      record,
      op: 'inlet',
      fields: { body: given },
      input: given,
      model: context.resolved.entry,
    }
    const { value } = await runner.call({
      ...call,
      caller: context.caller,
      origin: context,
      signal: context.signal,
    })
    const changed = readBody(given, value)
    if (!isRecord(changed))
      throw badRequest(
        `The filter ${record.name} returned no request. Its inlet has to return the body.`,
        { code: 'filter_failed' },
      )
    const { metadata, ...rest } = changed
    if (isRecord(metadata)) state.metadata = metadata
    // A caller's own field of this name is passed to the model unchanged.
    return {
      ...rest,
      ...('metadata' in body && { metadata: body['metadata'] }),
    } as ChatCompletionRequest
  }
}

/** Passes each chunk through the stream hooks, which are opened with the first one. */
function createChunkFilter(
  { runner }: FiltersDependencies,
  filters: readonly PluginRecord[],
  context: RequestContext,
) {
  let sessions: Promise<ChunkSession[]> | null = null
  const open = (): Promise<ChunkSession[]> =>
    runner.openChunks({
      records: filters,
      caller: context.caller,
      origin: context,
      model: context.resolved.entry,
      body: context.sent,
      input: { filters: filters.map(({ id }) => id) },
      signal: context.signal,
    })
  const send = async (chunk: ChatCompletionChunk): Promise<ChatCompletionChunk | null> => {
    let current: unknown = chunk
    for (const session of await (sessions ??= open())) {
      current = await session.send(current)
      if (!isRecord(current)) return null
    }
    return current as ChatCompletionChunk
  }
  // Without its filters an answer is not for its reader: they may hide what nobody should see.
  const filter: StreamFilter = (chunk) =>
    send(chunk).catch((error: unknown) => {
      if (context.signal.aborted || error instanceof ServiceError) throw error
      const names = filters.map(({ name }) => name).join(', ')
      const message = error instanceof Error ? error.message : String(error)
      throw upstreamFailed(`The answer could not pass through its filters (${names}): ${message}`, {
        code: 'filter_failed',
        cause: error,
      })
    })
  const close = (): void => {
    void sessions?.then(
      (all) => all.forEach((session) => session.end()),
      () => undefined,
    )
  }
  return { filter, close }
}

/**
 * Creates the function that chooses the filters of a request; null, synchronously, if none applies.
 * Small tasks run none (docs/plugin-contract.md).
 */
export function createChooseFilters(
  dependencies: FiltersDependencies,
): (context: RequestContext) => RequestFilters | null {
  return (context) => {
    if (context.task !== null) return null
    const filters = runningFilters(
      dependencies.records,
      context.resolved.entry,
      context.sent.filter_ids,
    )
    if (filters.length === 0) return null
    const withInlet = filters.filter(({ description }) => 'inlet' in description.hooks)
    const withStream = filters.filter(({ description }) => 'stream' in description.hooks)
    const chunks =
      withStream.length > 0 ? createChunkFilter(dependencies, withStream, context) : null
    return {
      inlets: withInlet.map((record) => createInlet(dependencies, record, context)),
      stream: chunks ? [chunks.filter] : [],
      handlesFiles: withInlet.some(({ description }) => description.flags.file_handler),
      close: () => chunks?.close(),
    }
  }
}

/**
 * Creates the function that runs the outlet hooks on a finished conversation; throws 400 with the
 * filter's message if one fails.
 */
export function createOutlet(dependencies: FiltersDependencies): Outlet {
  const { records, runner, later } = dependencies
  const hasOutlet = ({ description }: PluginRecord): boolean => 'outlet' in description.hooks
  const isAnyThere = (): boolean =>
    records
      .all('function')
      .some((record) => record.kind === 'filter' && record.isActive && hasOutlet(record))

  /**
   * Returns the filters that process a finished conversation, and its model as shown in lists; null
   * if there are none.
   */
  async function choose({
    caller,
    model: id,
    filter_ids: ids,
  }: Finished): Promise<{ model: Model; filters: PluginRecord[] } | null> {
    const model = isAnyThere() ? await later.findModel(caller, id) : null
    const filters = model ? runningFilters(records, model, ids).filter(hasOutlet) : []
    return model && filters.length > 0 ? { model, filters } : null
  }

  const takesPart: Outlet['takesPart'] = (finished) =>
    isAnyThere() && choose(finished).then((chosen) => chosen !== null)

  const run: Outlet['run'] = async (body, contact) => {
    const chosen = await choose({
      caller: contact.caller,
      model: body.model,
      filter_ids: body['filter_ids'],
    })
    if (!chosen) return body
    const { model, filters } = chosen
    const named = Array.isArray(body['filter_ids'])
      ? body['filter_ids'].filter((id): id is string => typeof id === 'string')
      : []
    const sent: ChatCompletionRequest = { model: body.model, messages: [], filter_ids: named }
    const origin: CallOrigin = { ...contact, sent, task: null }
    resumeState(origin)
    let current = body
    for (const record of filters) {
      const { value } = await runner
        .call({
          record,
          op: 'outlet',
          fields: { body: current },
          input: current,
          model,
          caller: contact.caller,
          origin,
          signal: contact.signal,
        })
        .catch((error: unknown) => {
          if (error instanceof ServiceError) throw error
          throw badRequest(`Error: ${error instanceof Error ? error.message : String(error)}`, {
            code: 'filter_failed',
            cause: error,
          })
        })
      const changed = readBody(current, value)
      if (!isRecord(changed) || !Array.isArray(changed['messages'])) {
        throw badRequest(`Error: The filter ${record.name} gave back no conversation.`, {
          code: 'filter_failed',
        })
      }
      current = changed as CompletedRequest
    }
    return current
  }
  return { takesPart, run }
}
