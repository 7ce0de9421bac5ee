import type { SnapshotContents, SnapshotKind } from '#contract/time-machine.ts'
import { chatPath, type Route, workspacePath } from '../../../lib/router.ts'

export type PastItem = SnapshotContents['notes'][number]

/**
 * Kinds of items that can be opened in a snapshot; folders and calendars are only headings over
 * their chats and events.
 */
export const READ_KINDS = ['chat', 'note', 'prompt', 'skill', 'event'] as const
export type ReadKind = (typeof READ_KINDS)[number]

export interface PastPlace {
  readonly kind: ReadKind
  readonly id: string
}

const AREAS = { notes: 'note', prompts: 'prompt', skills: 'skill', calendar: 'event' } as const

/**
 * Returns the part of a snapshot that a route shows: one item, the overview, or `elsewhere` for a
 * route that is not part of a snapshot.
 */
export function placeOf(route: Route): PastPlace | 'overview' | 'elsewhere' {
  if (route.name === 'chat')
    return route.chatId === null ? 'overview' : { kind: 'chat', id: route.chatId }
  if (route.name !== 'workspace' || !(route.area in AREAS)) return 'elsewhere'
  const kind = AREAS[route.area as keyof typeof AREAS]
  return route.item ? { kind, id: route.item } : 'overview'
}

export const pathOf = (kind: ReadKind, id: string): string => {
  if (kind === 'chat') return chatPath(id)
  return workspacePath(kind === 'event' ? 'calendar' : `${kind}s`, id)
}

export interface PastGroup {
  readonly name: 'chats' | 'notes' | 'prompts' | 'skills'
  readonly kind: Exclude<ReadKind, 'event'>
  readonly items: readonly PastItem[]
}

/** A folder with the chats directly in it, or a calendar with its events. */
export interface PastHolder {
  readonly kind: 'folder' | 'calendar'
  readonly holder: PastItem
  readonly itemKind: 'chat' | 'event'
  readonly items: readonly PastItem[]
}

const matches = (words: string) => {
  const sought = words.trim().toLocaleLowerCase()
  return ({ title }: PastItem): boolean => title.toLocaleLowerCase().includes(sought)
}

/** Returns the folders and calendars whose name, or one of whose items, matches the search terms. */
export function holdersOf(contents: SnapshotContents, words: string): PastHolder[] {
  const fits = matches(words)
  const { calendars, chats, events, folders } = contents
  const holders: PastHolder[] = [
    ...folders.map((holder) => ({
      kind: 'folder' as const,
      holder,
      itemKind: 'chat' as const,
      items: chats.filter(({ folder_id: id }) => id === holder.id),
    })),
    ...calendars.map((holder) => ({
      kind: 'calendar' as const,
      holder,
      itemKind: 'event' as const,
      items: events.filter(({ calendar_id: id }) => id === holder.id),
    })),
  ]
  return holders
    .map((each) => ({ ...each, items: fits(each.holder) ? each.items : each.items.filter(fits) }))
    .filter(({ holder, items }) => fits(holder) || items.length > 0)
}

/** Returns the items outside folders, by kind. */
export function groupsOf(contents: SnapshotContents, words: string): PastGroup[] {
  const fits = matches(words)
  const folders = new Set(contents.folders.map(({ id }) => id))
  const loose = contents.chats.filter(
    ({ folder_id: folder }) => folder === null || !folders.has(folder),
  )
  const groups: PastGroup[] = [
    { name: 'chats', kind: 'chat', items: loose },
    { name: 'notes', kind: 'note', items: contents.notes },
    { name: 'prompts', kind: 'prompt', items: contents.prompts },
    { name: 'skills', kind: 'skill', items: contents.skills },
  ]
  return groups
    .map((group) => ({ ...group, items: group.items.filter(fits) }))
    .filter(({ items }) => items.length > 0)
}

/** Returns the list entry of an item. */
export function itemOf(
  contents: SnapshotContents,
  { kind, id }: { readonly kind: SnapshotKind; readonly id: string },
): PastItem | null {
  return contents[`${kind}s`].find((item) => item.id === id) ?? null
}
