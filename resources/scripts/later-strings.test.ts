import { expect, test } from 'vitest'
import {
  childrenOf,
  importsOf,
  isTest,
  parse,
  readSources,
  resolveImport,
  type SyntaxNode,
} from './import-graph.ts'

const FOLDER = 'renderer/lib/strings/'
const SOURCES = readSources().filter(
  ({ file }) => file.startsWith('renderer/') && !isTest(file) && !file.startsWith('renderer/vite'),
)

interface Part {
  /** Files imported statically. */
  readonly needs: readonly string[]
  /** Files imported dynamically. */
  readonly fetches: readonly string[]
}

function readPart(file: string, program: SyntaxNode): Part {
  const fetched = new Set<unknown>()
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'ImportExpression') fetched.add((node['source'] as { value?: unknown }).value)
    childrenOf(node).forEach(visit)
  }
  visit(program)
  const kept = importsOf(program).filter(({ isType }) => !isType)
  const resolve = ({ specifier }: { specifier: string }) => resolveImport(file, specifier) ?? []
  return {
    needs: kept.filter(({ specifier }) => !fetched.has(specifier)).flatMap(resolve),
    fetches: kept.filter(({ specifier }) => fetched.has(specifier)).flatMap(resolve),
  }
}

const PARTS: ReadonlyMap<string, Part> = new Map(
  SOURCES.map((source) => [
    source.file,
    readPart(source.file, parse(source).program as unknown as SyntaxNode),
  ]),
)

/** Returns the files that are loaded with a file. */
function loadedWith(entry: string): ReadonlySet<string> {
  const loaded = new Set<string>()
  const pending = [entry]
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (loaded.has(file)) continue
    loaded.add(file)
    pending.push(...(PARTS.get(file)?.needs ?? []))
  }
  return loaded
}

/** Names of strings that are loaded later, by the file that adds them. */
const LATER: ReadonlyMap<string, string> = new Map(
  SOURCES.filter(({ file }) => file.startsWith(FOLDER)).map(({ file, text }) => [
    /addStrings\('(\w+)'/.exec(text)?.[1] ?? '',
    file,
  ]),
)

/** Names of those strings that each file uses: its keys start with the name. */
const SAID: ReadonlyMap<string, readonly string[]> = new Map(
  SOURCES.filter(({ file }) => !file.startsWith(FOLDER)).map(({ file, text }) => [
    file,
    [...LATER.keys()].filter((name) => new RegExp(`['\`]${name}\\.[a-zA-Z$]`).test(text)),
  ]),
)

const first = loadedWith('renderer/main.tsx')

test('the first load brings no strings that come later, and says none', () => {
  expect(LATER.get('admin')).toBe('renderer/lib/strings/admin.ts')
  expect([...first].filter((file) => file.startsWith(FOLDER))).toEqual([])
  const saying = [...first].filter((file) => (SAID.get(file) ?? []).length > 0)
  expect(saying).toEqual([])
})

test('whatever is fetched brings the strings it says', () => {
  const fetched = new Set([...PARTS.values()].flatMap(({ fetches }) => fetches))
  expect(fetched.has('renderer/app/screens/admin-page.tsx')).toBe(true)
  const missing = [...fetched].flatMap((entry) => {
    const loaded = loadedWith(entry)
    return [...loaded]
      .filter((file) => !first.has(file))
      .flatMap((file) =>
        (SAID.get(file) ?? [])
          .filter((name) => !loaded.has(LATER.get(name)!))
          .map((name) => `${entry}: ${name} of ${file}`),
      )
  })
  expect(missing).toEqual([])
})
