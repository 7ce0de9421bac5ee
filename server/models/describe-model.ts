import type { Model, ModelInfo, ModelRow } from '#contract/models.ts'
import { isRecord } from '../lib/is-record.ts'
import type { OfferedModel } from '../providers/index.ts'
import { mergeMeta } from './merge-preset.ts'
import { imageAddress, isDataAddress } from './profile-image.ts'
import type { Fields, StoredModel } from './stored-model.ts'

/** Sources of a model's description. */
export interface DescribedModel {
  readonly id: string
  readonly offered: OfferedModel
  /** Data stored under the model's own id. */
  readonly row: StoredModel | null
  /** Data stored about the base of a workspace model. */
  readonly base: StoredModel | null
  /** Defaults of every model. */
  readonly defaults: Fields
}

const isLocal = ({ model, provider }: OfferedModel): boolean =>
  provider.type === 'local' && model.leavesComputer !== true

/** A model inherits the capabilities of its base, but neither its texts nor its image. */
function describeMeta({
  id,
  offered,
  row,
  base,
  defaults,
}: DescribedModel): Record<string, unknown> {
  const { description, capabilities, contextLength } = offered.model
  const known = { capabilities, ...(contextLength !== null && { context_length: contextLength }) }
  const told = base || row?.base_model_id ? known : { description, ...known }
  const meta = mergeMeta([
    told,
    defaults,
    { capabilities: base?.meta['capabilities'] },
    row?.meta ?? {},
  ])
  return isDataAddress(meta['profile_image_url'])
    ? { ...meta, profile_image_url: imageAddress(id) }
    : meta
}

export const tagsOf = (meta: Fields): { name: string }[] =>
  Array.isArray(meta['tags'])
    ? meta['tags'].filter(
        (tag): tag is { name: string } => isRecord(tag) && typeof tag['name'] === 'string',
      )
    : []

/** Returns a model as lists show it. */
export function toEntry(described: DescribedModel): Model {
  const { id, offered, row } = described
  const { model, provider } = offered
  const meta = describeMeta(described)
  const { params: _params, ...stored } = row ?? { params: null }
  return {
    id,
    name: row?.name ?? model.name,
    object: 'model',
    created: row?.base_model_id ? row.created_at : model.created,
    owned_by: model.ownedBy,
    connection_type: isLocal(offered) ? 'local' : 'external',
    connection_name: provider.name,
    tags: tagsOf(meta),
    ...(row?.base_model_id && { preset: true as const }),
    ...(offered.isUnavailable && { unavailable: true as const }),
    info: { ...stored, meta },
    actions: [],
    filters: [],
  }
}

const toNumber = (value: unknown, fallback: number | null): number | null =>
  Number.isInteger(value) ? (value as number) : fallback

function toFlags(capabilities: unknown): Record<string, boolean> {
  const entries = isRecord(capabilities) ? Object.entries(capabilities) : []
  return Object.fromEntries(entries.map(([name, value]) => [name, value === true]))
}

/**
 * Returns the meta of one model, with the specification's list of capabilities besides the
 * reference system's map.
 */
function toInfoMeta(meta: Fields, model: OfferedModel['model'] | null): ModelInfo['meta'] {
  const flags = toFlags(meta['capabilities'])
  return {
    ...meta,
    description: typeof meta['description'] === 'string' ? meta['description'] : null,
    capabilities: Object.keys(flags).filter((name) => flags[name]),
    capability_flags: flags,
    context_length: toNumber(meta['context_length'], model?.contextLength ?? null),
    max_output_tokens: toNumber(meta['max_output_tokens'], model?.maxOutputTokens ?? null),
  }
}

/** Grants and permissions added to the description. */
export type ModelRights = Pick<ModelInfo, 'access_grants' | 'access_control' | 'write_access'>

const withoutSystem = ({
  system: _system,
  ...params
}: Record<string, unknown>): Record<string, unknown> => params

/** Returns the details of a model (specification, Resources › Model). */
export function toInfo(described: DescribedModel, rights: ModelRights): ModelInfo {
  const { id, offered, row } = described
  return {
    id,
    name: row?.name ?? offered.model.name,
    model: offered.model.id,
    base_model_id: row?.base_model_id ?? null,
    // The image itself, so that the response can be saved again.
    meta: toInfoMeta({ ...describeMeta(described), ...pictureOf(row) }, offered.model),
    params: toParams(row, rights),
    user_id: row?.user_id ?? '',
    is_active: row?.is_active ?? true,
    ...rights,
    created_at: row?.created_at ?? offered.model.created,
    updated_at: row?.updated_at ?? offered.model.created,
  }
}

const pictureOf = (row: StoredModel | null): Fields => {
  const picture = row?.meta['profile_image_url']
  return picture === undefined ? {} : { profile_image_url: picture }
}

const toParams = (row: StoredModel | null, rights: ModelRights): Record<string, unknown> =>
  rights.write_access ? { ...row?.params } : withoutSystem({ ...row?.params })

/** Returns the `info` of an arena, which stands for several models and has no data of its own. */
export const toArenaInfo = (
  { id, name, created, info }: Model,
  rights: ModelRights,
): ModelInfo => ({
  id,
  name,
  model: id,
  base_model_id: null,
  meta: toInfoMeta(info.meta, null),
  params: {},
  user_id: '',
  is_active: true,
  ...rights,
  created_at: created,
  updated_at: created,
})

/** Returns the `info` of a stored model whose base is currently unavailable. */
export function toStoredInfo(row: StoredModel, rights: ModelRights): ModelInfo {
  return {
    ...row,
    model: row.base_model_id ?? row.id,
    user_id: row.user_id ?? '',
    meta: toInfoMeta(row.meta, null),
    params: toParams(row, rights),
    ...rights,
  }
}

/** Returns a stored model as the workspace shows it. */
export function toRow(row: StoredModel, rights: ModelRights, user: ModelRow['user']): ModelRow {
  return {
    ...row,
    user_id: row.user_id ?? '',
    meta: { ...row.meta },
    params: toParams(row, rights),
    ...rights,
    user,
  }
}
