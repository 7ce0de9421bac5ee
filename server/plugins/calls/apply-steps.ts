import { isRecord } from '../../lib/is-record.ts'

type Container = Record<string, unknown> | unknown[]

const isContainer = (value: unknown): value is Container => Array.isArray(value) || isRecord(value)
/** Names that would change more than the object they are set on. */
const UNSAFE = new Set(['__proto__', 'constructor', 'prototype'])

function find(root: unknown, path: readonly unknown[]): Container | null {
  let place = root
  for (const key of path) {
    if (!isContainer(place) || UNSAFE.has(String(key))) return null
    place = (place as Record<string, unknown>)[String(key)]
  }
  return isContainer(place) ? place : null
}

function applyStep(holder: { root: unknown }, step: readonly unknown[]): void {
  const [action, path, value] = step
  if (!Array.isArray(path)) return
  if (action === 'truncate') {
    const list = find(holder.root, path)
    if (Array.isArray(list) && typeof value === 'number' && value <= list.length)
      list.length = value
    return
  }
  if (path.length === 0) {
    if (action === 'set') holder.root = value
    else if (action === 'delete') holder.root = undefined
    return
  }
  const parent = find(holder.root, path.slice(0, -1))
  const key = String(path.at(-1))
  if (!parent || UNSAFE.has(key)) return
  if (action === 'set') (parent as Record<string, unknown>)[key] = value
  else if (action === 'delete' && !Array.isArray(parent)) delete parent[key]
}

/**
 * Replays on a value the changes a plugin made to its copy of it (PROTOCOL.md, Calls). Changes the
 * value in place if possible.
 */
export function applySteps(value: unknown, steps: unknown): unknown {
  const holder = { root: value }
  for (const step of Array.isArray(steps) ? steps : [])
    if (Array.isArray(step)) applyStep(holder, step)
  return holder.root
}
