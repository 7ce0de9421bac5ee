import { isRecord } from '../lib/is-record.ts'
import { fault } from './faults.ts'

type Operator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le'
type Literal = string | number | boolean | null

/**
 * A parsed filter of RFC 7644, 3.4.2.2. Paths are in lower case, because attribute names are
 * case-insensitive.
 */
export type Filter =
  | { readonly kind: 'present'; readonly path: readonly string[] }
  | {
      readonly kind: 'compare'
      readonly path: readonly string[]
      readonly operator: Operator
      readonly value: Literal
    }
  | { readonly kind: 'not'; readonly filter: Filter }
  | { readonly kind: 'and' | 'or'; readonly left: Filter; readonly right: Filter }
  /** `emails[type eq "work"]`: true if a single value matches the whole inner filter. */
  | { readonly kind: 'some'; readonly path: readonly string[]; readonly filter: Filter }

const OPERATORS: ReadonlySet<string> = new Set([
  'eq',
  'ne',
  'co',
  'sw',
  'ew',
  'gt',
  'ge',
  'lt',
  'le',
])
const MOST_TOKENS = 200
const MOST_DEPTH = 20
const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|([()[\]])|([^\s()[\]"]+))/y
const ATTRIBUTE = /^[A-Za-z$][\w$-]*(?:\.[A-Za-z$][\w$-]*)?$/
/** Part of the selected values, as in `emails[type eq "work"].value`, which large directories send. */
const PART = /^\.([A-Za-z$][\w$-]*)$/
const SCHEMA_PREFIX =
  /^urn:ietf:params:scim:schemas:(?:core|extension:[\w-]+):2\.0:(?:User|Group):/i

/**
 * Returns the names of an attribute path, in lower case; null if it is not one. A leading schema is
 * left out.
 */
export function readAttributePath(text: string): readonly string[] | null {
  const plain = text.replace(SCHEMA_PREFIX, '')
  return ATTRIBUTE.test(plain) ? plain.toLowerCase().split('.') : null
}

const malformed = (reason: string) =>
  fault('invalidFilter', `The filter cannot be read: ${reason}.`)

function toTokens(text: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (text.slice(TOKEN.lastIndex).trim() !== '') {
    const found = TOKEN.exec(text)
    if (!found) throw malformed('a quotation mark or a sign is missing')
    tokens.push(found[1] ?? found[2] ?? found[3]!)
    if (tokens.length > MOST_TOKENS) throw malformed('it is too long')
  }
  return tokens
}

function toLiteral(token: string | undefined): Literal {
  if (token === undefined) throw malformed('a value is missing at the end')
  try {
    const value: unknown = JSON.parse(
      /^(true|false|null)$/i.test(token) ? token.toLowerCase() : token,
    )
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value))
      return value as Literal
  } catch {
    // Reported below.
  }
  throw malformed('values are texts in quotation marks, numbers, true, false or null')
}

/** Recursive descent parser: `or` binds weaker than `and`, `and` weaker than `not`. */
class FilterReader {
  readonly #tokens: readonly string[]
  #place = 0
  #depth = 0

  constructor(text: string) {
    this.#tokens = toTokens(text)
  }

  readAll(): Filter {
    const filter = this.#readOr()
    if (this.#place < this.#tokens.length) throw malformed('something follows its end')
    return filter
  }

  #isWord(word: string): boolean {
    return this.#tokens[this.#place]?.toLowerCase() === word
  }

  #take(): string | undefined {
    return this.#tokens[this.#place++]
  }

  #expect(sign: string): void {
    if (this.#take() !== sign) throw malformed(`${sign} is missing`)
  }

  #readOr(): Filter {
    if ((this.#depth += 1) > MOST_DEPTH) throw malformed('it is nested too deeply')
    let left = this.#readAnd()
    while (this.#isWord('or')) {
      this.#place += 1
      left = { kind: 'or', left, right: this.#readAnd() }
    }
    this.#depth -= 1
    return left
  }

  #readAnd(): Filter {
    let left = this.#readOne()
    while (this.#isWord('and')) {
      this.#place += 1
      left = { kind: 'and', left, right: this.#readOne() }
    }
    return left
  }

  #readOne(): Filter {
    if (this.#isWord('not') && this.#tokens[this.#place + 1] === '(') {
      this.#place += 1
      return { kind: 'not', filter: this.#readGroup('(', ')') }
    }
    if (this.#isWord('(')) return this.#readGroup('(', ')')
    const name = this.#take() ?? ''
    const path = readAttributePath(name)
    if (!path) throw malformed(`${JSON.stringify(name)} is no attribute`)
    if (!this.#isWord('[')) return this.#readComparison(path)
    const filter = this.#readGroup('[', ']')
    const part = PART.exec(this.#tokens[this.#place] ?? '')?.[1]
    if (part === undefined) return { kind: 'some', path, filter }
    this.#place += 1
    const right = this.#readComparison([part.toLowerCase()])
    return { kind: 'some', path, filter: { kind: 'and', left: filter, right } }
  }

  #readComparison(path: readonly string[]): Filter {
    const operator = this.#take()?.toLowerCase() ?? ''
    if (operator === 'pr') return { kind: 'present', path }
    if (!OPERATORS.has(operator)) throw malformed(`${JSON.stringify(operator)} is no comparison`)
    return { kind: 'compare', path, operator: operator as Operator, value: toLiteral(this.#take()) }
  }

  #readGroup(open: string, close: string): Filter {
    this.#expect(open)
    const filter = this.#readOr()
    this.#expect(close)
    return filter
  }
}

/** Parses a filter; throws 400 `invalidFilter` if it is not one. */
export const parseFilter = (text: string): Filter => new FilterReader(text).readAll()

/** Returns the name as the resource spells it; null if it has no such name. */
export const findName = (record: Readonly<Record<string, unknown>>, name: string): string | null =>
  Object.hasOwn(record, name)
    ? name
    : (Object.keys(record).find((key) => key.toLowerCase() === name) ?? null)

/**
 * Returns every value at a path, through lists; a list of objects at the end of the path stands for
 * their `value`.
 */
function valuesAt(resource: unknown, path: readonly string[]): unknown[] {
  let found: unknown[] = [resource]
  for (const name of path) {
    found = found.flatMap((value) => {
      const key = isRecord(value) ? findName(value, name) : null
      return key === null ? [] : [(value as Record<string, unknown>)[key]].flat()
    })
  }
  return found
}

/** Ids and references of other systems are case-sensitive, everything else of a resource is not. */
const EXACT: ReadonlySet<string> = new Set(['id', 'externalid', '$ref'])

function compares(
  actual: unknown,
  operator: Operator,
  expected: Literal,
  isExact: boolean,
): boolean {
  if (operator === 'ne') return !compares(actual, 'eq', expected, isExact)
  const fold = (value: unknown): unknown =>
    typeof value === 'string' && !isExact ? value.toLowerCase() : value
  const [left, right] = [fold(isRecord(actual) ? actual['value'] : actual), fold(expected)]
  if (operator === 'eq') return left === right
  if (typeof left === 'string' && typeof right === 'string') {
    if (operator === 'co') return left.includes(right)
    if (operator === 'sw') return left.startsWith(right)
    if (operator === 'ew') return left.endsWith(right)
  } else if (typeof left !== 'number' || typeof right !== 'number') return false
  if (operator === 'gt') return left > right
  if (operator === 'ge') return left >= right
  if (operator === 'lt') return left < right
  return operator === 'le' && left <= right
}

const isPresent = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/** Reports whether a resource matches a filter. */
export function fits(resource: unknown, filter: Filter): boolean {
  switch (filter.kind) {
    case 'present':
      return valuesAt(resource, filter.path).some(isPresent)
    case 'not':
      return !fits(resource, filter.filter)
    case 'and':
      return fits(resource, filter.left) && fits(resource, filter.right)
    case 'or':
      return fits(resource, filter.left) || fits(resource, filter.right)
    case 'some':
      return valuesAt(resource, filter.path).some((value) =>
        fits(isRecord(value) ? value : { value }, filter.filter),
      )
    case 'compare': {
      const { path, operator, value } = filter
      const isExact = EXACT.has(path.at(-1)!)
      const found = valuesAt(resource, path)
      if (found.length === 0)
        return operator === 'ne' ? value !== null : operator === 'eq' && value === null
      return operator === 'ne'
        ? found.every((each) => compares(each, 'ne', value, isExact))
        : found.some((each) => compares(each, operator, value, isExact))
    }
  }
}

/**
 * Returns the single value a filter requires of an attribute, such as `userName eq "ada"`; null for
 * any other filter.
 */
export function wantedValue(filter: Filter, ...path: string[]): string | null {
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || typeof filter.value !== 'string')
    return null
  return filter.path.join('.') === path.join('.') ? filter.value : null
}
