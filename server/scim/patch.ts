import { isRecord } from '../lib/is-record.ts'
import { runAtOnce } from '../lib/turns.ts'
import { fault } from './faults.ts'
import { findName, fits, parseFilter, readAttributePath, type Filter } from './filter.ts'

type Resource = Record<string, unknown>

interface Operation {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path: Target | null
  readonly value: unknown
}

/** Target of a path: an attribute, list values that match a filter, and a part of either. */
interface Target {
  readonly name: string
  readonly filter: Filter | null
  readonly part: string | null
}

const MOST_OPERATIONS = 1000
const VALUE_PATH = /^([^[\]]+)\[(.*)\](?:\.([A-Za-z$][\w$-]*))?$/s
/** False for names in a body that would access the prototype of an object. */
const isSafe = (name: string): boolean =>
  !['__proto__', 'constructor', 'prototype'].includes(name.toLowerCase())

function readPath(text: string): Target {
  const malformed = () =>
    fault('invalidPath', `The path ${JSON.stringify(text.slice(0, 200))} cannot be read.`)
  const [, list, condition, part] = VALUE_PATH.exec(text) ?? []
  const names = readAttributePath(list ?? text)
  if (!names || !names.every(isSafe)) throw malformed()
  if (condition === undefined) return { name: names[0]!, filter: null, part: names[1] ?? null }
  if (names.length > 1) throw malformed()
  return { name: names[0]!, filter: parseFilter(condition), part: part?.toLowerCase() ?? null }
}

function readOperation(given: unknown): Operation {
  const read = isRecord(given) ? given : {}
  const op = typeof read['op'] === 'string' ? read['op'].toLowerCase() : ''
  if (op !== 'add' && op !== 'remove' && op !== 'replace')
    throw fault('invalidSyntax', 'Each operation needs an "op" that is add, remove or replace.')
  const { path, value } = read
  if (path !== undefined && path !== null && typeof path !== 'string')
    throw fault('invalidPath', 'The path of an operation is a text.')
  const target = path ? readPath(path) : null
  if (op === 'remove' && !target)
    throw fault('noTarget', 'An operation that removes something needs a path.')
  if (op !== 'remove' && value === undefined)
    throw fault('invalidValue', `An operation with the "op" ${op} needs a value.`)
  return { op, path: target, value }
}

/** Parses the operations of a change; throws 400 errors of the protocol. */
function readOperations(body: Resource): Operation[] {
  const name = findName(body, 'operations')
  const list = name === null ? null : body[name]
  if (!Array.isArray(list) || list.length === 0)
    throw fault('invalidSyntax', 'A change needs "Operations", a list of what to change.')
  if (list.length > MOST_OPERATIONS)
    throw fault('invalidValue', `A change may have ${MOST_OPERATIONS} operations.`)
  return list.map(readOperation)
}

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])
const keyOf = (value: unknown): unknown => (isRecord(value) ? value['value'] : value)

/** Values that are already in a list are not added again. */
function addTo(list: readonly unknown[], added: readonly unknown[]): unknown[] {
  const known = new Set(list.map(keyOf))
  return [...list, ...added.filter((value) => !known.has(keyOf(value)))]
}

function setPart(holder: Resource, part: string, { op, value }: Operation): void {
  const key = findName(holder, part) ?? part
  if (op === 'remove') delete holder[key]
  else holder[key] = value
}

/** Returns the fields of a new value that are implied by a condition such as `type eq "work"`. */
function toNewValue(filter: Filter): Resource {
  if (filter.kind === 'and') return { ...toNewValue(filter.left), ...toNewValue(filter.right) }
  return filter.kind === 'compare' && filter.operator === 'eq'
    ? { [filter.path[0]!]: filter.value }
    : {}
}

function changeSelected(
  resource: Resource,
  key: string,
  { filter, part }: Target & { filter: Filter },
  operation: Operation,
): void {
  const list = resource[key] === undefined ? [] : toList(resource[key])
  const selected = list.filter((value) => fits(isRecord(value) ? value : { value }, filter))
  const isSelected = new Set(selected)
  if (selected.length === 0) {
    if (operation.op === 'remove') return
    if (operation.op === 'replace' && list.length > 0)
      throw fault('noTarget', `Nothing in ${key} fits the condition of the path.`)
    const made =
      part === null ? operation.value : { ...toNewValue(filter), [part]: operation.value }
    resource[key] = [...list, made]
    return
  }
  if (part !== null) {
    for (const value of selected) if (isRecord(value)) setPart(value, part, operation)
    return
  }
  const merge = (value: unknown): unknown =>
    isRecord(value) && isRecord(operation.value)
      ? { ...value, ...operation.value }
      : operation.value
  const changed = operation.op === 'remove' ? [] : selected.map(merge)
  resource[key] = [...list.filter((value) => !isSelected.has(value)), ...changed]
}

function changeAttribute(resource: Resource, target: Target, operation: Operation): void {
  const key = findName(resource, target.name) ?? target.name
  if (target.filter)
    return changeSelected(resource, key, { ...target, filter: target.filter }, operation)
  const { op, value } = operation
  const current = resource[key]
  if (target.part !== null) {
    // A part of every value of a list, or of the single object, which an addition may create.
    if (!isRecord(current) && !Array.isArray(current)) {
      if (op !== 'remove') resource[key] = { [target.part]: value }
      return
    }
    for (const holder of toList(current))
      if (isRecord(holder)) setPart(holder, target.part, operation)
    return
  }
  if (op === 'remove') {
    // Some clients specify what to remove from a list by value.
    if (value !== undefined && value !== null && Array.isArray(current)) {
      const gone = new Set(toList(value).map(keyOf))
      resource[key] = current.filter((each) => !gone.has(keyOf(each)))
    } else delete resource[key]
  } else if (op === 'add' && Array.isArray(current)) resource[key] = addTo(current, toList(value))
  else if (isRecord(current) && isRecord(value)) resource[key] = { ...current, ...value }
  else resource[key] = value
}

/** Without a path, the value is an object of attributes; some clients use paths as their names. */
function changeSeveral(resource: Resource, operation: Operation): void {
  if (!isRecord(operation.value))
    throw fault(
      'invalidValue',
      'An operation without a path needs an object of attributes as its value.',
    )
  for (const [name, value] of Object.entries(operation.value)) {
    if (name.toLowerCase() === 'schemas' || /^urn:[\w:.-]+:(?:User|Group)$/i.test(name)) continue
    changeAttribute(resource, readPath(name), { ...operation, value })
  }
}

/** Changes a resource in place, one operation per step, because each may traverse a long list. */
function* change(resource: Resource, operations: readonly Operation[]): Generator<void, Resource> {
  for (const operation of operations) {
    if (operation.path) changeAttribute(resource, operation.path, operation)
    else changeSeveral(resource, operation)
    yield
  }
  return resource
}

/**
 * Returns a copy of a resource after a change, in steps. Unknown attributes are kept, for the
 * reader of the copy to ignore.
 */
export const patchInSteps = (
  resource: Readonly<Resource>,
  body: Resource,
): Generator<void, Resource> => change(structuredClone(resource), readOperations(body))

/** Same as `patchInSteps`, at once, for resources without long lists. */
export const applyPatch = (resource: Readonly<Resource>, body: Resource): Resource =>
  runAtOnce(patchInSteps(resource, body))
