import fc, { type Arbitrary } from 'fast-check'

/** The parts of JSON Schema the OpenAPI document uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly minimum?: number
  readonly maximum?: number
}

const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  'a\udc00b',
  '__proto__',
  '../../etc/passwd',
  '"; drop table chat; --',
  '{{USER_NAME}}',
  '💥',
  'http://169.254.169.254/',
  '-1',
  '1e999',
  '9007199254740993',
  '+012345-01-01T00:00:00Z',
]
const HOSTILE_NUMBERS = [2 ** 31, 2 ** 53 - 1, 1 - 2 ** 53, 2 ** 63, -(2 ** 63), 1e300, 0.5]

const text = (known: readonly string[]): Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...known) },
    { weight: 2, arbitrary: fc.string({ maxLength: 30 }) },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  )

/** Any JSON value, for free-form objects and for values of a wrong type. */
const anything: Arbitrary<unknown> = fc.jsonValue({ maxDepth: 2 })

/** Keys such as `__proto__` must become properties, not prototypes. */
const toObject = (entries: readonly (readonly [string, unknown])[]): object =>
  entries.reduce<object>(
    (all, [key, value]) =>
      Object.defineProperty(all, key, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      }),
    {},
  )

/**
 * Generates values that mostly match a schema, with occasional violations: a missing field, a wrong
 * type, a hostile text. `known` are texts worth sending, such as ids of existing objects.
 */
export function fromJsonSchema(
  schema: JsonSchema,
  resolve: (ref: string) => JsonSchema,
  known: readonly string[],
  depth = 0,
): Arbitrary<unknown> {
  const inner = (each: JsonSchema): Arbitrary<unknown> =>
    fromJsonSchema(each, resolve, known, depth + 1)
  if (depth > 6) return fc.constant(null)
  const fitting = fittingValue(schema, { inner, resolve, known })
  return fc.oneof({ weight: 15, arbitrary: fitting }, { weight: 1, arbitrary: anything })
}

interface Tools {
  readonly inner: (schema: JsonSchema) => Arbitrary<unknown>
  readonly resolve: (ref: string) => JsonSchema
  readonly known: readonly string[]
}

function fittingValue(schema: JsonSchema, tools: Tools): Arbitrary<unknown> {
  const { inner } = tools
  if (schema.$ref !== undefined) return inner(tools.resolve(schema.$ref))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map(inner))
  if (schema.allOf) return inner(schema.allOf[0]!)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type: string) => inner({ ...schema, type })))
  switch (schema.type) {
    case 'string':
      return text(tools.known)
    case 'integer':
      return fc.oneof(
        fc.integer({
          min: Math.max(schema.minimum ?? -5, -1e9),
          max: Math.min(schema.maximum ?? 1e6, 1e9),
        }),
        fc.integer(),
        fc.constantFrom(...HOSTILE_NUMBERS),
      )
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(schema.items ? inner(schema.items) : anything, { maxLength: 4 })
    case 'object':
      return objectValue(schema, tools)
    default:
      return anything
  }
}

function objectValue(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  { inner, known }: Tools,
): Arbitrary<object> {
  const named = Object.entries(properties).map(([key, each]) =>
    fc
      .tuple(fc.integer({ min: 0, max: 19 }), inner(each))
      .map(([dice, value]) =>
        dice < (required.includes(key) ? 19 : 8) ? ([[key, value]] as const) : [],
      ),
  )
  const isOpen = additionalProperties !== undefined && additionalProperties !== false
  const more = typeof additionalProperties === 'object' ? inner(additionalProperties) : anything
  const further = fc.array(
    fc.tuple(
      fc.oneof(text(known), fc.constantFrom('__proto__', 'constructor', 'id', 'role')),
      more,
    ),
    {
      maxLength: isOpen ? 3 : 1,
    },
  )
  return fc
    .tuple(fc.tuple(...named), further)
    .map(([fields, rest]) => toObject([...fields.flat(), ...rest]))
}
