import { isRecord } from '../lib/is-record.ts'
import { setOwn } from '../lib/set-own.ts'

/** What stands where something was left out. */
const REST = '…'
/** An entry costs a little even when it is empty. */
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
 * A copy of a JSON value of about so many characters at most; what does not fit is left out. The
 * work is bounded as well, as the values may hold whole documents and pictures. Also answers how
 * many characters the copy has.
 */
export function shorten(
  value: unknown,
  longest: number,
): { readonly value: unknown; readonly size: number } {
  const budget = { left: longest }
  const copy = copyWithin(value, budget)
  return { value: copy, size: longest - Math.max(0, budget.left) }
}
