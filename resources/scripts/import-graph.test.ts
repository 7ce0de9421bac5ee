import { expect, test } from 'vitest'
import { findCycles, importsOf, parse, resolveImport, type SyntaxNode } from './import-graph.ts'

test('finds each group of files that reach one another, and a file that imports itself', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c', 'outside']],
    ['c', ['a', 'd']],
    ['d', ['e']],
    ['e', []],
    ['f', ['f']],
  ])
  expect(findCycles(graph)).toEqual([['a', 'b', 'c'], ['f']])
})

test('tells imports that disappear with the types from those that stay', () => {
  const text = `import type { A } from './a.ts'
    import { type B } from './b.ts'
    import { type C, c } from './c.ts'
    export type { D } from './d.ts'
    type E = import('./e.ts').E
    const f = () => import('./f.ts')`
  const { program } = parse({ file: 'x.ts', text })
  const found = importsOf(program as unknown as SyntaxNode)
  expect(found.map(({ specifier, isType }) => `${specifier} ${isType}`)).toEqual([
    './a.ts true',
    './b.ts true',
    './c.ts false',
    './d.ts true',
    './e.ts true',
    './f.ts false',
  ])
})

test('follows relative paths and the two aliases, and leaves packages alone', () => {
  expect(resolveImport('server/a/b.ts', '../lib/c.ts')).toBe('server/lib/c.ts')
  expect(resolveImport('renderer/a.ts', '#contract/events.ts')).toBe('server/contract/events.ts')
  expect(resolveImport('renderer/a.ts', 'react')).toBeNull()
})
