import { createStore, type StoreApi } from 'zustand/vanilla'

/**
 * Unsaved forms by the id of their object; empty id for a new one. Kept until the window is closed.
 */
export type Drafts<Draft> = StoreApi<Readonly<Record<string, Draft>>>

export const createDrafts = <Draft>(): Drafts<Draft> =>
  createStore<Readonly<Record<string, Draft>>>(() => ({}))

export const keepDraft = <Draft>(drafts: Drafts<Draft>, id: string, draft: Draft): void =>
  drafts.setState({ ...drafts.getState(), [id]: draft }, true)

/** Returns a draft, whose id may equal a built-in property name such as `constructor`. */
export const findDraft = <Draft>(
  state: Readonly<Record<string, Draft>>,
  id: string,
): Draft | undefined => (Object.hasOwn(state, id) ? state[id] : undefined)

export function dropDraft<Draft>(drafts: Drafts<Draft>, id: string): void {
  const { [id]: _dropped, ...others } = drafts.getState()
  drafts.setState(others, true)
}

/**
 * Removes the draft that was saved. Changes typed during saving remain a draft of the object as it
 * is stored now, which may have received its id only now.
 */
export function settleDraft<Draft extends { readonly id: string }>(
  drafts: Drafts<Draft>,
  key: string,
  saved: Draft,
  stored: Partial<Draft> & Pick<Draft, 'id'>,
): void {
  const shown = findDraft(drafts.getState(), key)
  dropDraft(drafts, key)
  if (shown !== undefined && shown !== saved) keepDraft(drafts, stored.id, { ...shown, ...stored })
}
