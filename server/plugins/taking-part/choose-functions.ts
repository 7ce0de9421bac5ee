import type { Model } from '#contract/models.ts'
import type { Records } from '../records.ts'
import type { PluginRecord } from '../store.ts'
import { idsOf } from './request-context.ts'

export function priorityOf({ valves, description }: PluginRecord): number {
  const stored = valves?.['priority']
  return typeof stored === 'number' ? stored : description.priority
}

const inOrder = (one: PluginRecord, other: PluginRecord): number =>
  priorityOf(one) - priorityOf(other) || (one.id < other.id ? -1 : Number(one.id > other.id))

function inForce(
  records: Records,
  kind: PluginRecord['kind'],
  named: () => ReadonlySet<string>,
): PluginRecord[] {
  const active = records
    .all('function')
    .filter((record) => record.kind === kind && record.isActive && record.fault === null)
  if (active.length === 0) return active
  const ids = named()
  return active.filter(({ id, isGlobal }) => isGlobal || ids.has(id)).toSorted(inOrder)
}

/**
 * Returns the filters that apply to a model, whether or not users must enable them, in the order
 * they run.
 */
export const filtersOf = (records: Records, model: Model): PluginRecord[] =>
  inForce(records, 'filter', () => idsOf(model, 'filterIds'))

/** Returns the actions a model shows, in their order. */
export const actionsOf = (records: Records, model: Model): PluginRecord[] =>
  inForce(records, 'action', () => idsOf(model, 'actionIds'))

/**
 * Returns the filters that run now: one with a switch only if the request names it
 * (docs/plugin-contract.md).
 */
export function runningFilters(records: Records, model: Model, filterIds: unknown): PluginRecord[] {
  const filters = filtersOf(records, model)
  if (filters.length === 0) return filters
  const chosen = new Set(Array.isArray(filterIds) ? filterIds : [])
  return filters.filter(({ id, description }) => !description.flags.toggle || chosen.has(id))
}
