import { isRecord } from '../../lib/is-record.ts'
import { setOwn } from '../../lib/json/set-own.ts'

/** Placeholder for omitted content. */
const REST = '…'
/** Cost of an entry, even if it is empty. */
const ENTRY_COST = 8

interface Budget {
  left: number
}

function copyEntries(
  value: Readonly<Record<string, unknown>>,
  budget: Budget,
): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [name, entry] of Object.entries(value)) {
    if (entry === undefined || typeof entry === 'function') continue
    if (budget.left <= 0) {
      copy[REST] = REST
      break
    }
    budget.left -= name.length + ENTRY_COST
    setOwn(copy, name, copyWithin(entry, budget))
  }
  return copy
}

function copyItems(value: readonly unknown[], budget: Budget): unknown[] {
  const copy: unknown[] = []
  for (const item of value) {
    if (budget.left <= 0) {
      copy.push(REST)
      break
    }
    budget.left -= ENTRY_COST
    copy.push(copyWithin(item, budget))
  }
  return copy
}

function copyWithin(value: unknown, budget: Budget): unknown {
  if (typeof value === 'string') {
    const left = Math.max(0, budget.left)
    budget.left -= value.length
    return value.length <= left ? value : `${value.slice(0, left)}${REST}`
  }
  if (Buffer.isBuffer(value)) return `[${value.length} bytes]`
  if (Array.isArray(value)) return copyItems(value, budget)
  if (isRecord(value)) return copyEntries(value, budget)
  if (typeof value === 'number' || typeof value === 'boolean') return value
  return null
}

/**
 * Copies a JSON value with about the given maximum number of characters; omits the rest. The work
 * is limited as well, because the values may contain whole documents and images. Also returns the
 * number of characters of the copy.
 */
export function shorten(
  value: unknown,
  longest: number,
): { readonly value: unknown; readonly size: number } {
  const budget = { left: longest }
  const copy = copyWithin(value, budget)
  return { value: copy, size: longest - Math.max(0, budget.left) }
}
