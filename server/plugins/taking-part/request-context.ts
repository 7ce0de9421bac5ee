import type { Model } from '#contract/models.ts'
import type { CallOrigin } from '../../lib/call-origin.ts'
import { isRecord } from '../../lib/is-record.ts'

/** The model of a request that names it, as lists show it; null when the caller may not use it. */
export type FindModel = (caller: CallOrigin['caller'], id: string) => Promise<Model | null>

/** Ids a model names in its meta. */
export function idsOf({ info }: Model, name: 'filterIds' | 'actionIds'): ReadonlySet<string> {
  const meta = isRecord(info) && isRecord(info['meta']) ? info['meta'] : {}
  const ids = meta[name]
  return new Set(Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [])
}
