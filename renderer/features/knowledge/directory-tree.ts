import type { KnowledgeDirectory, KnowledgeFile } from '#contract/knowledge.ts'
import { formatLocale } from '../../lib/i18n.ts'

const byName = (left: { name: string }, right: { name: string }): number =>
  left.name.localeCompare(right.name, undefined, { numeric: true, sensitivity: 'base' })

/** The directories right inside one, from A on; null is the top. */
export const childrenOf = (
  directories: readonly KnowledgeDirectory[],
  id: string | null,
): readonly KnowledgeDirectory[] =>
  directories.filter(({ parent_id }) => parent_id === id).toSorted(byName)

/** A directory with its depth below the top. */
export interface Branch {
  readonly directory: KnowledgeDirectory
  readonly depth: number
}

/** Every directory in the order of a tree; without those below `except`, and without itself. */
export function toTree(
  directories: readonly KnowledgeDirectory[],
  except: string | null = null,
  parentId: string | null = null,
  depth = 0,
): readonly Branch[] {
  return childrenOf(directories, parentId)
    .filter(({ id }) => id !== except)
    .flatMap((directory) => [
      { directory, depth },
      ...toTree(directories, except, directory.id, depth + 1),
    ])
}

/** How many files each directory holds, those of directories in it included. */
export function countFiles(
  directories: readonly KnowledgeDirectory[],
  files: readonly KnowledgeFile[],
): ReadonlyMap<string, number> {
  const parents = new Map(directories.map(({ id, parent_id }) => [id, parent_id]))
  const counts = new Map<string, number>()
  for (const { directory_id } of files) {
    for (let id = directory_id; id !== null; id = parents.get(id) ?? null)
      counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

/** Files by the name a person sees, numbers in their own order. */
export const inNameOrder = (files: readonly KnowledgeFile[]): readonly KnowledgeFile[] => {
  const { compare } = new Intl.Collator(formatLocale(), { numeric: true, sensitivity: 'base' })
  return files.toSorted((left, right) => compare(left.filename, right.filename))
}
