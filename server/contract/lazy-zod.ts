// Building every schema of the endpoint table takes a third of a start, and most calls need one of them. This is the
// schema library with the same names and types, whose schemas are built when they are first looked into.
import { z as eager } from 'zod'

type Schema = eager.ZodType & Record<string, unknown>
type Maker = (...given: unknown[]) => Schema

interface Lazy {
  make: () => Schema
  made: Schema | undefined
}

/** Methods that make a new schema of one, and can wait as it does. */
const CHAINED =
  'optional nullable nullish default min max length int positive nonnegative regex trim toLowerCase email url extend partial pick omit pipe transform refine superRefine or and array catch describe strict loose'
/** What is only to be had from a built schema. */
const LOOKS = '_zod def type shape options element parse safeParse parseAsync safeParseAsync spa unwrap ~standard'

const words = (text: string): string[] => text.split(' ')

function built(lazy: Lazy): Schema {
  lazy.made ??= lazy.make()
  return lazy.made
}

/** The schema behind a lazy one; anything else as it is. */
export function toSchema<Value>(value: Value): Value {
  return value instanceof LazySchema ? (built(value) as Value) : value
}

/** Builds the parts first, so that nothing inside a built schema is lazy and checking a value costs what it always did. */
function toBuilt(argument: unknown): unknown {
  if (typeof argument !== 'object' || argument === null) return argument
  if (argument instanceof LazySchema) return built(argument)
  if (Array.isArray(argument)) return argument.map(toSchema)
  if (Object.getPrototypeOf(argument) !== Object.prototype) return argument
  return Object.fromEntries(Object.entries(argument).map(([key, part]) => [key, toSchema(part)]))
}

class LazySchema implements Lazy {
  make: () => Schema
  made: Schema | undefined = undefined

  constructor(make: () => Schema) {
    this.make = make
  }

  /** Reads the metadata without an argument; with one, a new schema that has them. */
  meta(...given: unknown[]): unknown {
    return given.length === 0 ? built(this).meta() : new LazySchema(() => (built(this)['meta'] as Maker)(...given))
  }
}

for (const name of words(CHAINED)) {
  const value = function (this: LazySchema, ...given: unknown[]) {
    return new LazySchema(() => (built(this)[name] as Maker)(...given.map(toBuilt)))
  }
  Object.defineProperty(LazySchema.prototype, name, { value })
}
for (const name of words(LOOKS)) {
  const get = function (this: LazySchema): unknown {
    const schema = built(this)
    const value = schema[name]
    return typeof value === 'function' ? (value as Maker).bind(schema) : value
  }
  Object.defineProperty(LazySchema.prototype, name, { get })
}

const toLazyMaker =
  (make: (...given: never[]) => unknown) =>
  (...given: unknown[]) =>
    new LazySchema(() => (make as Maker)(...given.map(toBuilt)))

/** The schema library, building late; only what the contract uses of it, as the rest would have to be loaded too. */
export const z = {
  string: toLazyMaker(eager.string),
  number: toLazyMaker(eager.number),
  boolean: toLazyMaker(eager.boolean),
  null: toLazyMaker(eager.null),
  unknown: toLazyMaker(eager.unknown),
  any: toLazyMaker(eager.any),
  literal: toLazyMaker(eager.literal),
  enum: toLazyMaker(eager.enum),
  array: toLazyMaker(eager.array),
  object: toLazyMaker(eager.object),
  looseObject: toLazyMaker(eager.looseObject),
  strictObject: toLazyMaker(eager.strictObject),
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
