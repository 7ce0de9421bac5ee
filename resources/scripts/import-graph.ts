// Builds the import graph of the source files and finds its cycles.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'
import { root } from './run-step.ts'

export const PROCESSES = ['server', 'main', 'preload', 'renderer', 'bench', 'e2e', 'resources']

export interface Source {
  /** Path relative to the project's root, with forward slashes. */
  file: string
  text: string
}

/** A node of a syntax tree; its fields depend on its type. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

export interface Import {
  readonly specifier: string
  /** True if the import disappears when types are stripped. */
  readonly isType: boolean
}

export const isTest = (file: string): boolean =>
  /\.test\.tsx?$/.test(file) ||
  file.startsWith('server/testing/') ||
  file.startsWith('renderer/testing/')

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Returns the direct children of a node, in source order where it matters. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  )
}

export const parse = ({ file, text }: Source) => parseSync(file, text)

function isTypeImport(node: SyntaxNode): boolean {
  if (node.type === 'TSImportType') return true
  if (node['importKind'] === 'type' || node['exportKind'] === 'type') return true
  const specifiers = (node['specifiers'] ?? []) as SyntaxNode[]
  return specifiers.length > 0 && specifiers.every(({ importKind }) => importKind === 'type')
}

const IMPORTING = new Set([
  'ImportDeclaration',
  'ImportExpression',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'TSImportType',
])

/** Returns every import in a syntax tree, including dynamic ones and those of a single type. */
export function importsOf(program: SyntaxNode): Import[] {
  const found: Import[] = []
  const visit = (node: SyntaxNode): void => {
    const { source } = node as { source?: { value?: unknown } }
    if (IMPORTING.has(node.type) && typeof source?.value === 'string')
      found.push({ specifier: source.value, isType: isTypeImport(node) })
    childrenOf(node).forEach(visit)
  }
  visit(program)
  return found
}

/** Returns the file of an import, relative to the project's root; null for a package. */
export function resolveImport(file: string, specifier: string): string | null {
  if (specifier.startsWith('#contract/'))
    return `server/contract/${specifier.slice('#contract/'.length)}`
  if (specifier === '#desktop') return 'preload/contract.ts'
  return specifier.startsWith('.')
    ? path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier))
    : null
}

/** Returns the groups of files that all reach each other (Tarjan). */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = []
  const stack: string[] = []
  const seen = new Map<string, { index: number; low: number; isOpen: boolean }>()
  const visit = (file: string) => {
    const state = { index: seen.size, low: seen.size, isOpen: true }
    seen.set(file, state)
    stack.push(file)
    const targets = graph.get(file) ?? []
    for (const target of targets) {
      if (!graph.has(target)) continue
      const other = seen.get(target)
      if (!other) state.low = Math.min(state.low, visit(target).low)
      else if (other.isOpen) state.low = Math.min(state.low, other.index)
    }
    if (state.low !== state.index) return state
    const group = stack.splice(stack.indexOf(file))
    for (const member of group) seen.get(member)!.isOpen = false
    if (group.length > 1 || targets.includes(file)) cycles.push(group.toSorted())
    return state
  }
  for (const file of graph.keys()) if (!seen.has(file)) visit(file)
  return cycles
}

/** Reads every source file of the project. */
export function readSources(): Source[] {
  return globSync(`{${PROCESSES.join(',')}}/**/*.{ts,tsx}`, { cwd: root })
    .filter((file) => !file.includes('node_modules') && !file.endsWith('.d.ts'))
    .map((file) => ({
      file: file.split(path.sep).join('/'),
      text: readFileSync(path.join(root, file), 'utf8'),
    }))
}
