import { EVENT_EFFECTS, type OwnEvent } from './events.ts'

/** Change of one field of a message. */
export interface FieldChange {
  readonly field: string
  /** Items added to the list in the field; null if the field is set. */
  readonly added: readonly unknown[] | null
  /** New value of the field; absent for added items. */
  readonly value?: unknown
  /** True if the gateway stores it when the event is sent. */
  readonly isStored: boolean
}

type AnyEffect =
  | { readonly adds: string; readonly from?: string; readonly isStored: boolean }
  | { readonly sets: string; readonly from: string; readonly isStored: boolean }
  | 'own'
  | null

const EFFECTS: ReadonlyMap<string, AnyEffect> = new Map(Object.entries(EVENT_EFFECTS))

/**
 * Returns the change an event makes to its message; null if it makes none, has its own code, or is
 * known only to its sender.
 */
export function readChange({ type, data }: { type: string; data: unknown }): FieldChange | null {
  const effect = EFFECTS.get(type) ?? null
  if (effect === null || effect === 'own') return null
  const { isStored } = effect
  const fields = data as Readonly<Record<string, unknown>>
  if ('sets' in effect)
    return { field: effect.sets, added: null, value: fields[effect.from], isStored }
  if (effect.from === undefined) return { field: effect.adds, added: [data], isStored }
  const added = fields[effect.from] as readonly unknown[]
  return fields['replace'] === true
    ? { field: effect.adds, added: null, value: [...added], isStored }
    : { field: effect.adds, added, isStored }
}

export const isOwn = (event: { readonly type: string }): event is OwnEvent =>
  EFFECTS.get(event.type) === 'own'

/** Fields of a message that events change and the gateway stores; all belong to one run. */
export const STORED_BY_EVENTS: readonly string[] = [...EFFECTS.values()].flatMap((effect) => {
  if (effect === null || effect === 'own' || !effect.isStored) return []
  return 'adds' in effect ? effect.adds : effect.sets
})
