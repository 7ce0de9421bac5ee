import type { EndpointInput } from '#contract/endpoint.ts'
import type { endpoints } from '#contract/endpoints.ts'
import type { Caller } from '../lib/http.ts'
import { tagsOf } from './describe-model.ts'
import type { StoredModel } from './stored-model.ts'

type WorkspaceQuery = Omit<
  NonNullable<EndpointInput<typeof endpoints.models.workspace>['query']>,
  'page'
> & { page?: number }

const PAGE_SIZE = 30

const COMPARE = {
  name: (left: StoredModel, right: StoredModel) => left.name.localeCompare(right.name),
  created_at: (left: StoredModel, right: StoredModel) => left.created_at - right.created_at,
  updated_at: (left: StoredModel, right: StoredModel) => left.updated_at - right.updated_at,
}

/** Newest first, but names from A to Z, unless a direction is requested. */
function sort(
  models: readonly StoredModel[],
  { order_by, direction }: WorkspaceQuery,
): StoredModel[] {
  const key = order_by || 'updated_at'
  const isDescending = direction ? direction === 'desc' : key !== 'name'
  const sign = isDescending ? -1 : 1
  return models.toSorted(
    (left, right) => sign * COMPARE[key](left, right) || left.id.localeCompare(right.id),
  )
}

const textOf = ({ id, name, base_model_id }: StoredModel): string =>
  `${name} ${id} ${base_model_id}`.toLowerCase()

/** Returns one page of the workspace models a user may read. */
export function pageWorkspace(
  caller: Caller,
  readable: readonly StoredModel[],
  query: WorkspaceQuery,
): { items: StoredModel[]; total: number } {
  const wanted = (query.query ?? '').trim().toLowerCase()
  const matching = readable.filter((model) => {
    const isOwn = model.user_id === caller.userId
    if (query.view_option && isOwn !== (query.view_option === 'created')) return false
    if (query.tag && !tagsOf(model.meta).some(({ name }) => name === query.tag)) return false
    return textOf(model).includes(wanted)
  })
  const start = ((query.page ?? 1) - 1) * PAGE_SIZE
  return { items: sort(matching, query).slice(start, start + PAGE_SIZE), total: matching.length }
}

export const listTags = (models: readonly StoredModel[]): string[] =>
  [...new Set(models.flatMap(({ meta }) => tagsOf(meta).map(({ name }) => name)))].toSorted(
    (left, right) => left.localeCompare(right),
  )
