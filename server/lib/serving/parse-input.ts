import type { ZodError, ZodType } from 'zod'
import { toSchema, z } from '#contract/lazy-zod.ts'
import { invalidInput, ServiceError, type InputIssue } from '../errors.ts'
import { isRecord } from '../is-record.ts'

type InputPlace = 'path' | 'query' | 'body'
type Path = readonly (string | number)[]

/**
 * Maximum number of reported issues: more would not be read, and a body of nothing but errors would
 * lead to a response many times its size.
 */
const MOST_ISSUES = 100

/** Depth of the first place at which a value differs from one form. */
const depthOf = (issues: readonly InputIssue[]): number =>
  Math.min(...issues.map(({ loc }) => loc.length))

const hasType = ([issue]: readonly InputIssue[]): boolean => issue?.type !== 'invalid_type'

/**
 * Returns the errors of the form that was meant: the one that fits the most, as its errors lie
 * deepest, or the only one of the value's type. If that is not clear, one error that names what each
 * form needs.
 */
function toUnionIssues(forms: readonly InputIssue[][], place: Path): InputIssue[] {
  const deepest = Math.max(...forms.map(depthOf))
  const nearest = forms.filter((issues) => depthOf(issues) === deepest)
  const typed = nearest.filter(hasType)
  if (typed.length === 1) return typed[0]!
  if (nearest.length === 1 && deepest > place.length) return nearest[0]!
  const needs = nearest.map(([issue]) => [...issue!.loc.slice(place.length), issue!.msg].join(': '))
  return [
    {
      loc: [...place],
      msg: [...new Set(needs)].join('; or ') || 'Invalid input',
      type: 'invalid_union',
    },
  ]
}

type Issue = ZodError['issues'][number]

function toInputIssues(issue: Issue, place: Path): InputIssue[] {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))
  const loc = [...place, ...path]
  if (issue.code === 'invalid_union') {
    const forms = issue.errors.map((issues) => toIssues({ issues }, loc))
    return toUnionIssues(
      forms.filter((issues) => issues.length > 0),
      loc,
    )
  }
  return [{ loc, msg: issue.message, type: issue.code ?? 'invalid' }]
}

function toIssues({ issues }: { issues: readonly Issue[] }, place: Path): InputIssue[] {
  const first = issues.slice(0, MOST_ISSUES)
  return first.flatMap((issue) => toInputIssues(issue, place)).slice(0, MOST_ISSUES)
}

function check(schema: ZodType, value: unknown, place: Path): unknown {
  const result = schema.safeParse(value)
  if (!result.success) throw invalidInput(toIssues(result.error, place))
  return result.data
}

/** Validates a value against its schema; throws 422 with the location of each error. */
export const parseInput = (schema: ZodType, value: unknown, place: InputPlace): unknown =>
  check(toSchema(schema), value, [place])

/** Parts of a schema definition used here. */
interface Definition {
  readonly type: string
  readonly checks?: readonly unknown[]
  readonly innerType?: ZodType
  readonly element?: ZodType
  readonly shape?: Readonly<Record<string, ZodType>>
  readonly catchall?: ZodType
  readonly keyType?: ZodType
  readonly valueType?: ZodType
  readonly options?: readonly ZodType[]
}

const definitionOf = (schema: ZodType): Definition => schema._zod.def as unknown as Definition
const takesAnything = (schema: ZodType | undefined): boolean =>
  schema !== undefined && ['any', 'unknown'].includes(definitionOf(schema).type)

/** Returns a schema with other parts, keeping its own checks. */
const withParts = (schema: ZodType, parts: Partial<Definition>): ZodType =>
  (schema as unknown as { clone(definition: unknown): ZodType }).clone({
    ...definitionOf(schema),
    ...parts,
  })

const STEP = 200

/**
 * Validates large values against their schemas in short steps; values not in `large` are validated
 * as a whole.
 */
class StepwiseCheck {
  readonly #large: WeakSet<object>
  readonly #anything: ZodType

  constructor(large: WeakSet<object>, anything: ZodType) {
    this.#large = large
    this.#anything = anything
  }

  *parse(schema: ZodType, value: unknown, place: Path): Generator<void, unknown> {
    if (typeof value !== 'object' || value === null || !this.#large.has(value))
      return check(schema, value, place)
    const definition = definitionOf(schema)
    switch (definition.type) {
      case 'any':
      case 'unknown':
        return value
      case 'optional':
      case 'nullable':
      case 'default':
      case 'prefault':
        return yield* this.parse(definition.innerType!, value, place)
      case 'array':
        return Array.isArray(value)
          ? yield* this.#parseList(schema, value, place)
          : check(schema, value, place)
      case 'object':
        return isRecord(value)
          ? yield* this.#parseObject(schema, value, place)
          : check(schema, value, place)
      case 'record':
        return isRecord(value)
          ? yield* this.#parseRecord(schema, value, place)
          : check(schema, value, place)
      case 'union':
        return yield* this.#parseUnion(definition.options!, value, place)
      default:
        return check(schema, value, place)
    }
  }

  *#parseList(schema: ZodType, list: readonly unknown[], place: Path): Generator<void, unknown[]> {
    const { element, checks } = definitionOf(schema)
    if (checks && checks.length > 0)
      check(this.#anything.check(...(checks as never[])), list, place)
    if (takesAnything(element)) return [...list]
    const parsed: unknown[] = []
    for (const [index, value] of list.entries()) {
      parsed.push(yield* this.parse(element!, value, [...place, index]))
      if (index % STEP === 0) yield
    }
    return parsed
  }

  /**
   * Validates large fields separately, then the object with their results inserted; fields unknown
   * to the schema are only copied.
   */
  *#parseObject(
    schema: ZodType,
    value: Readonly<Record<string, unknown>>,
    place: Path,
  ): Generator<void, unknown> {
    const { shape, catchall, checks } = definitionOf(schema)
    const isFree = catchall === undefined || takesAnything(catchall)
    if (!isFree || (checks && checks.length > 0)) return check(schema, value, place)
    const known: Record<string, unknown> = {}
    const simpler: Record<string, ZodType> = { ...shape }
    for (const [name, part] of Object.entries(shape!)) {
      if (!Object.hasOwn(value, name)) continue
      const field = value[name]
      const isLarge = typeof field === 'object' && field !== null && this.#large.has(field)
      known[name] = isLarge ? yield* this.parse(part, field, [...place, name]) : field
      if (isLarge) simpler[name] = this.#anything
    }
    const parsed = check(withParts(schema, { shape: simpler }), known, place) as Record<
      string,
      unknown
    >
    return catchall === undefined
      ? parsed
      : yield* this.#copyInto(parsed, value, (name) => !Object.hasOwn(shape!, name))
  }

  *#parseRecord(
    schema: ZodType,
    value: Readonly<Record<string, unknown>>,
    place: Path,
  ): Generator<void, unknown> {
    const { keyType, valueType, checks } = definitionOf(schema)
    if (checks && checks.length > 0) return check(schema, value, place)
    const takesAnyName =
      definitionOf(keyType!).type === 'string' && (definitionOf(keyType!).checks ?? []).length === 0
    if (takesAnyName && takesAnything(valueType))
      return yield* this.#copyInto({}, value, () => true)
    const named = withParts(schema, { valueType: this.#anything })
    const parsed: Record<string, unknown> = {}
    let count = 0
    for (const name in value) {
      if (name === '__proto__') continue
      check(named, { [name]: null }, place)
      parsed[name] = yield* this.parse(valueType!, value[name], [...place, name])
      if ((count += 1) % STEP === 0) yield
    }
    return parsed
  }

  /** @NOTE Schemas remove fields named `__proto__`, so this does too. */
  *#copyInto(
    target: Record<string, unknown>,
    source: Readonly<Record<string, unknown>>,
    isWanted: (name: string) => boolean,
  ): Generator<void, unknown> {
    let count = 0
    for (const name in source) {
      if (name !== '__proto__' && isWanted(name)) target[name] = source[name]
      if ((count += 1) % STEP === 0) yield
    }
    return target
  }

  *#parseUnion(options: readonly ZodType[], value: object, place: Path): Generator<void, unknown> {
    const forms: InputIssue[][] = []
    for (const option of options) {
      try {
        return yield* this.parse(option, value, place)
      } catch (error) {
        if (!(error instanceof ServiceError) || !error.issues) throw error
        forms.push(error.issues)
      }
    }
    throw invalidInput(forms.length === 1 ? forms[0]! : toUnionIssues(forms, place))
  }
}

/**
 * Like `parseInput` for a large value, with pauses between its parts; stops at the first invalid
 * part.
 */
export function* parseInputInSteps(
  schema: ZodType,
  value: unknown,
  large: WeakSet<object>,
): Generator<void, unknown> {
  const built = toSchema(schema)
  return yield* new StepwiseCheck(large, toSchema(z.unknown())).parse(built, value, ['body'])
}
