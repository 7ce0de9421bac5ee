import type { KnowledgeDirectory, KnowledgeFile } from '#contract/knowledge.ts'
import { formatLocale } from '../../lib/i18n.ts'

const byName = (left: { name: string }, right: { name: string }): number =>
  left.name.localeCompare(right.name, undefined, { numeric: true, sensitivity: 'base' })

/** Returns the direct subdirectories of one, sorted by name; null is the top level. */
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

/** Returns every directory in tree order, except `except` and its descendants. */
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

/** Returns the number of files in each directory, including its subdirectories. */
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

/** Sorts files by display name, numbers by value. */
export const inNameOrder = (files: readonly KnowledgeFile[]): readonly KnowledgeFile[] => {
  const { compare } = new Intl.Collator(formatLocale(), { numeric: true, sensitivity: 'base' })
  return files.toSorted((left, right) => compare(left.filename, right.filename))
}
