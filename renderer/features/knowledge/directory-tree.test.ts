import { expect, test } from 'vitest'
import type { KnowledgeDirectory, KnowledgeFile } from '#contract/knowledge.ts'
import { countFiles, inNameOrder, toTree } from './directory-tree.ts'
import { pathTo } from './collection-store.ts'

const directory = (id: string, parent_id: string | null): KnowledgeDirectory => ({
  id,
  user_id: 'u',
  knowledge_id: 'k',
  parent_id,
  name: id,
  created_at: 1,
  updated_at: 1,
})
const file = (filename: string, directory_id: string | null): KnowledgeFile =>
  ({ id: filename, filename, directory_id }) as KnowledgeFile

const directories = [
  directory('b', null),
  directory('a10', null),
  directory('a9', null),
  directory('deep', 'b'),
  directory('deeper', 'deep'),
]

test('directories stand in a tree, numbers in their own order', () => {
  expect(toTree(directories).map(({ directory: { id }, depth }) => `${depth} ${id}`)).toEqual([
    '0 a9',
    '0 a10',
    '0 b',
    '1 deep',
    '2 deeper',
  ])
  expect(toTree(directories, 'deep').map(({ directory: { id } }) => id)).not.toContain('deeper')
})

test('files count for every directory above them', () => {
  const counts = countFiles(directories, [file('x', 'deeper'), file('y', 'b'), file('z', null)])
  expect(Object.fromEntries(counts)).toEqual({ deeper: 1, deep: 1, b: 2 })
})

test('a place is told from the top down, and files are sorted as people count', () => {
  expect(pathTo(directories, 'deeper').map(({ id }) => id)).toEqual(['b', 'deep', 'deeper'])
  expect(inNameOrder([file('p10', null), file('P9', null)]).map(({ id }) => id)).toEqual([
    'P9',
    'p10',
  ])
})
