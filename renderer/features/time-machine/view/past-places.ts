import type { SnapshotContents, SnapshotKind } from '#contract/time-machine.ts'
import { chatPath, type Route, workspacePath } from '../../../lib/router.ts'

export type PastItem = SnapshotContents['notes'][number]

/** Kinds of items that can be opened in a snapshot; a folder is only a heading over its chats. */
export const READ_KINDS = ['chat', 'note', 'prompt', 'skill'] as const
export type ReadKind = (typeof READ_KINDS)[number]

export interface PastPlace {
  readonly kind: ReadKind
  readonly id: string
}

const AREAS = { notes: 'note', prompts: 'prompt', skills: 'skill' } as const

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

export const pathOf = (kind: ReadKind, id: string): string =>
  kind === 'chat' ? chatPath(id) : workspacePath(`${kind}s`, id)

export interface PastGroup {
  readonly name: 'chats' | 'notes' | 'prompts' | 'skills'
  readonly kind: ReadKind
  readonly items: readonly PastItem[]
}

/** A folder with the chats directly in it. */
export interface PastFolder {
  readonly folder: PastItem
  readonly chats: readonly PastItem[]
}

const matches = (words: string) => {
  const sought = words.trim().toLocaleLowerCase()
  return ({ title }: PastItem): boolean => title.toLocaleLowerCase().includes(sought)
}

/** Returns the folders whose name, or one of whose chats, matches the search terms. */
export function foldersOf({ chats, folders }: SnapshotContents, words: string): PastFolder[] {
  const fits = matches(words)
  return folders
    .map((folder) => {
      const inside = chats.filter((chat) => chat.folder_id === folder.id)
      return { folder, chats: fits(folder) ? inside : inside.filter(fits) }
    })
    .filter((each) => fits(each.folder) || each.chats.length > 0)
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
