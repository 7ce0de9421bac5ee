// Building every schema of the endpoint table takes a third of the startup time, and most calls
// need only one of them. This module offers the schema library with the same names and types, but
// builds each schema on first access.
import { z as eager } from 'zod'

type Schema = eager.ZodType & Record<string, unknown>
type Maker = (...given: unknown[]) => Schema

type Shape = Readonly<Record<string, unknown>>

/**
 * Parts of a schema that are known before it is built, so that other schemas can be derived from
 * it.
 */
type Parts = Partial<Record<'shape' | 'options' | 'element', unknown>>

interface Lazy {
  make: () => Schema
  made: Schema | undefined
  readonly parts: Parts
}

/** Methods that derive a new schema, which can be built lazily too. */
const CHAINED =
  'optional nullable nullish default prefault min max length int positive nonnegative regex trim overwrite toLowerCase email url extend partial pick omit pipe transform refine superRefine or and array catch describe strict loose readonly'
/** Members that exist only on a built schema. */
const LOOKS =
  '_zod def type shape options element parse safeParse parseAsync safeParseAsync spa unwrap ~standard'

const words = (text: string): string[] => text.split(' ')

function built(lazy: Lazy): Schema {
  lazy.made ??= lazy.make()
  return lazy.made
}

/** Returns the schema behind a lazy one; any other value unchanged. */
export function toSchema<Value>(value: Value): Value {
  return value instanceof LazySchema ? (built(value) as Value) : value
}

/**
 * Builds the parts first, so that a built schema contains no lazy ones and validation costs the
 * same as without lazy schemas.
 */
function toBuilt(argument: unknown): unknown {
  if (typeof argument !== 'object' || argument === null) return argument
  if (argument instanceof LazySchema) return built(argument)
  if (Array.isArray(argument)) return argument.map(toSchema)
  if (Object.getPrototypeOf(argument) !== Object.prototype) return argument
  return Object.fromEntries(Object.entries(argument).map(([key, part]) => [key, toSchema(part)]))
}

/** Known shape of the schema that each of these methods derives from one with a shape. */
const SHAPED: Readonly<Record<string, (shape: Shape, given: readonly unknown[]) => Shape>> = {
  extend: (shape, [more]) => ({ ...shape, ...(more as Shape) }),
  partial: (shape) =>
    Object.fromEntries(Object.entries(shape).map(([key, part]) => [key, toOptional(part)])),
  pick: (shape, [mask]) => chosen(shape, (key) => (mask as Shape)[key] === true),
  omit: (shape, [mask]) => chosen(shape, (key) => (mask as Shape)[key] !== true),
}

const chosen = (shape: Shape, isChosen: (key: string) => boolean): Shape =>
  Object.fromEntries(Object.entries(shape).filter(([key]) => isChosen(key)))

/** Methods that leave the parts of a schema as they are. */
const KEEPING = new Set(['describe', 'length', 'max', 'meta', 'min'])

const toOptional = (schema: unknown): unknown => (schema as eager.ZodType).optional()

/** Returns the parts that are still known after a method call. */
function partsAfter(name: string, parts: Parts, given: readonly unknown[]): Parts {
  if (KEEPING.has(name)) return parts
  const { shape } = parts
  const change = SHAPED[name]
  if (!shape || !change || (name === 'partial' && given.length > 0)) return {}
  return { shape: change(shape as Shape, given) }
}

class LazySchema implements Lazy {
  make: () => Schema
  made: Schema | undefined = undefined
  readonly parts: Parts

  constructor(make: () => Schema, parts: Parts = {}) {
    this.make = make
    this.parts = parts
  }

  /** Returns the metadata if called without an argument; otherwise a new schema that has it. */
  meta(...given: unknown[]): unknown {
    return given.length === 0
      ? built(this).meta()
      : new LazySchema(
          () => (built(this)['meta'] as Maker)(...given),
          partsAfter('meta', this.parts, given),
        )
  }
}

for (const name of words(CHAINED)) {
  const value = function (this: LazySchema, ...given: unknown[]) {
    return new LazySchema(
      () => (built(this)[name] as Maker)(...given.map(toBuilt)),
      partsAfter(name, this.parts, given),
    )
  }
  Object.defineProperty(LazySchema.prototype, name, { value })
}
for (const name of words(LOOKS)) {
  const get = function (this: LazySchema): unknown {
    const known = this.parts[name as keyof Parts]
    if (known !== undefined) return known
    const schema = built(this)
    const value = schema[name]
    return typeof value === 'function' ? (value as Maker).bind(schema) : value
  }
  Object.defineProperty(LazySchema.prototype, name, { get })
}

const toLazyMaker =
  (make: (...given: never[]) => unknown, part?: keyof Parts) =>
  (...given: unknown[]) =>
    new LazySchema(() => (make as Maker)(...given.map(toBuilt)), part && { [part]: given[0] })

/**
 * Schema library with lazy building; contains only the members the contract uses, because the
 * others would have to be loaded too.
 */
export const z = {
  string: toLazyMaker(eager.string),
  number: toLazyMaker(eager.number),
  int: toLazyMaker(eager.int),
  boolean: toLazyMaker(eager.boolean),
  null: toLazyMaker(eager.null),
  unknown: toLazyMaker(eager.unknown),
  any: toLazyMaker(eager.any),
  literal: toLazyMaker(eager.literal),
  enum: toLazyMaker(eager.enum, 'options'),
  array: toLazyMaker(eager.array, 'element'),
  object: toLazyMaker(eager.object, 'shape'),
  looseObject: toLazyMaker(eager.looseObject, 'shape'),
  strictObject: toLazyMaker(eager.strictObject, 'shape'),
  record: toLazyMaker(eager.record),
  tuple: toLazyMaker(eager.tuple),
  union: toLazyMaker(eager.union),
  discriminatedUnion: toLazyMaker(eager.discriminatedUnion),
  preprocess: toLazyMaker(eager.preprocess),
  stringbool: toLazyMaker(eager.stringbool),
  coerce: { number: toLazyMaker(eager.coerce.number) },
  iso: { date: toLazyMaker(eager.iso.date) },
} as unknown as typeof eager

// oxlint-disable-next-line typescript/no-namespace, typescript/no-redeclare -- types only: `z.output` and the like keep their names
export declare namespace z {
  type output<Of extends eager.ZodType> = eager.output<Of>
  type input<Of extends eager.ZodType> = eager.input<Of>
  type ZodType<Output = unknown, Input = unknown> = eager.ZodType<Output, Input>
  type ZodOptional<Of extends eager.ZodType> = eager.ZodOptional<Of>
  type ZodNullable<Of extends eager.ZodType> = eager.ZodNullable<Of>
  type ZodBoolean = eager.ZodBoolean
}
