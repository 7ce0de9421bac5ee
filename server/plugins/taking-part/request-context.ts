import type { Model } from '#contract/models.ts'
import { isRecord } from '../../lib/is-record.ts'

/** Returns the ids listed in a model's meta. */
export function idsOf({ info }: Model, name: 'filterIds' | 'actionIds'): ReadonlySet<string> {
  const meta = isRecord(info) && isRecord(info['meta']) ? info['meta'] : {}
  const ids = meta[name]
  return new Set(Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [])
}
