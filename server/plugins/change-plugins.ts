import { checkPlainJson } from '../lib/json/check-plain-json.ts'
import { badRequest, notFound } from '../lib/errors.ts'
import { nowSeconds } from '../lib/ids.ts'
import { nextVersionAt, requireKnown } from '../lib/known-version.ts'
import type { Caller } from '../lib/http.ts'
import type { Description } from './sources/description.ts'
import type { PluginKey } from './host-request.ts'
import type { Source } from './sources/source.ts'
import {
  forReply,
  requireFreeId,
  requireMayWriteCode,
  whileInstalling,
  type PluginContext,
} from './plugin-context.ts'
import type { PluginRecord } from './store.ts'
import type { Fields } from '../lib/is-record.ts'

/** A source with its metadata from the user. */
export interface PluginInput {
  readonly id: string
  readonly name: string
  readonly content: string
  readonly meta: Fields
}

export type PluginUpdate = {
  readonly [Name in 'name' | 'content' | 'meta']?: PluginInput[Name] | undefined
} & { readonly known_at?: number | undefined }

const KINDS = ['pipe', 'filter', 'action', 'event'] as const

/**
 * Front matter and the class's own description always take precedence in the meta over values of
 * the client.
 */
function toMeta(
  given: Fields,
  { front_matter, flags, user_valves_schema }: Description,
  kind: PluginRecord['kind'],
): Fields {
  return {
    ...given,
    description: given['description'] ?? '',
    manifest: front_matter,
    ...(kind === 'filter' && { toggle: flags.toggle }),
    ...(kind === 'tool' && { has_user_valves: user_valves_schema !== null }),
  }
}

function kindOf(context: PluginContext, source: Source): Promise<PluginRecord['kind']> {
  if (source.store === 'tool') return Promise.resolve('tool')
  return context.loader.sources.inspect(source).then(({ kind }) => {
    const found = KINDS.find((each) => each === kind)
    if (!found)
      throw badRequest('The source has no class Pipe, Filter, Action or Event.', {
        code: 'plugin_no_class',
      })
    return found
  })
}

/**
 * Returns packages installed at the request of the user saving the plugin, besides those of its
 * front matter.
 */
function addedRequirements(meta: Fields): string[] {
  const given = meta['requirements']
  return Array.isArray(given)
    ? given.filter((line): line is string => typeof line === 'string' && line.trim() !== '')
    : []
}

const hasSameRequirements = (one: Fields, other: Fields): boolean =>
  addedRequirements(one).join('\n') === addedRequirements(other).join('\n')

/** Loads a source and creates its record; nothing is stored yet. */
export async function loadPlugin(
  context: PluginContext,
  caller: Caller,
  {
    store,
    input,
    before,
  }: { store: PluginKey['store']; input: PluginInput; before: PluginRecord | null },
): Promise<PluginRecord> {
  checkPlainJson(input.meta, 'The plugin')
  const { id, name, content, meta } = input
  const key = { store, id }
  const authorId = before?.content === content ? before.authorId : caller.userId
  const source = {
    ...key,
    content,
    authorId,
    valves: before?.valves ?? null,
    requirements: addedRequirements(meta),
  }
  const description = await forReply(whileInstalling(context, caller, context.loader.load(source)))
  const kind = await forReply(kindOf(context, source))
  const now = nowSeconds()
  return {
    ...key,
    userId: before?.userId ?? caller.userId,
    authorId,
    name,
    kind,
    content,
    meta: toMeta(meta, description, kind),
    description,
    valves: before?.valves ?? null,
    isActive: before?.isActive ?? store === 'tool',
    isGlobal: before?.isGlobal ?? false,
    fault: null,
    builtIn: null,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  }
}

/** Loads and stores a new plugin. */
export async function createPlugin(
  context: PluginContext,
  caller: Caller,
  { store, input }: { store: PluginKey['store']; input: PluginInput },
): Promise<PluginRecord> {
  requireFreeId(context, { store, id: input.id })
  const record = await loadPlugin(context, caller, { store, input, before: null })
  // Another user may have taken the id while the source was loaded.
  requireFreeId(context, record)
  await context.records.add(record)
  return record
}

/**
 * Changes a plugin; its source only for users who may store code. The source is loaded again only
 * if it changed or failed to load before.
 */
export async function updatePlugin(
  context: PluginContext,
  caller: Caller,
  record: PluginRecord,
  update: PluginUpdate,
): Promise<PluginRecord> {
  const input: PluginInput = {
    id: record.id,
    name: update.name ?? record.name,
    content: update.content ?? record.content,
    meta: update.meta ? { ...record.meta, ...update.meta } : record.meta,
  }
  requireKnown(record.updatedAt, update.known_at)
  const updatedAt = nextVersionAt(record.updatedAt)
  const isSame = input.content === record.content && hasSameRequirements(input.meta, record.meta)
  if (!isSame) await requireMayWriteCode(context, caller)
  if (isSame && record.fault === null) {
    checkPlainJson(input.meta, 'The plugin')
    const meta = toMeta(input.meta, record.description, record.kind)
    return context.records.update(record, { name: input.name, meta, updatedAt }, update.known_at)
  }
  const loaded = await loadPlugin(context, caller, { store: record.store, input, before: record })
  // Loading may take long: changes made meanwhile are kept, and a deleted plugin stays deleted.
  if (!context.records.find(record))
    throw notFound('The plugin was deleted while its source was loaded.')
  const { name, kind, content, authorId, meta, description, fault } = loaded
  return context.records.update(
    record,
    { name, kind, content, authorId, meta, description, fault, updatedAt },
    update.known_at,
  )
}
