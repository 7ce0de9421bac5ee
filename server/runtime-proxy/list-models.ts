import { notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { explainMissing } from '../models/index.ts'
import type { OfferedModel, Providers } from '../providers/index.ts'
import { namesOf, type ProxiedKind, type Targets } from './targets.ts'

/** A row in the format of remote providers. A type, so that it fits rows with further fields. */
export type ListedModel = {
  readonly id: string
  readonly object: 'model'
  readonly created: number
  readonly owned_by: string
  readonly name: string
  readonly connection_type: 'local' | 'external'
  /** Known fields of the provider's row, under the provider's own id. */
  readonly openai?: {
    readonly id: string
    readonly object: 'model'
    readonly created: number
    readonly owned_by: string
    readonly name: string
  }
  /** Present while its connection does not respond. */
  readonly unavailable?: true
}

function toRow({ publicId, model, provider, isUnavailable }: OfferedModel): ListedModel {
  const { name, created, ownedBy } = model
  const common = { object: 'model', created, owned_by: ownedBy, name } as const
  return {
    id: publicId,
    ...common,
    connection_type: provider.type,
    ...(provider.kind === 'compatible' && { openai: { id: model.id, ...common } }),
    ...(isUnavailable && { unavailable: true }),
  }
}

export interface ModelListParts {
  readonly providers: Providers
  readonly targets: Targets
}

/**
 * Returns the models of the connections of a kind that a caller may use, without duplicates, each
 * with the index of its first connection.
 */
export async function listModels(
  { providers, targets }: ModelListParts,
  kind: ProxiedKind,
  call: { caller: Caller; index?: number },
): Promise<{ object: 'list'; data: (ListedModel & { urlIdx: number })[] }> {
  const backends = targets.usable(kind, call.index)
  await providers.listModels()
  const found = new Map<string, ListedModel & { urlIdx: number }>()
  for (const backend of backends) {
    for (const offered of backend.models()) {
      const known = found.get(offered.publicId)
      if (!known || (known.unavailable && !offered.isUnavailable))
        found.set(offered.publicId, { ...toRow(offered), urlIdx: backend.index })
    }
  }
  const rows = [...found.values()]
  const allowed = await Promise.all(rows.map(({ id }) => targets.mayUse(call.caller, id)))
  return { object: 'list', data: rows.filter((_, place) => allowed[place]) }
}

const PLACE = /^\d{1,3}$/

/**
 * Returns the models of the connection with an index, or the one with an id; a runtime treats a
 * name without a tag as tagged `latest`.
 */
export async function showModels(
  parts: ModelListParts,
  kind: ProxiedKind,
  { caller, id }: { caller: Caller; id: string },
) {
  if (PLACE.test(id)) return listModels(parts, kind, { caller, index: Number(id) })
  const { data } = await listModels(parts, kind, { caller })
  const model = namesOf(kind, id).flatMap((name) => data.filter((row) => row.id === name))[0]
  if (!model) {
    const ids = data.map((row) => row.id)
    throw notFound(explainMissing(id, ids), { code: 'model_not_found' })
  }
  return model
}
