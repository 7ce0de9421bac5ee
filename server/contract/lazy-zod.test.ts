import { z as eager } from 'zod'
import { describe, expect, test, vi } from 'vitest'
import { allEndpoints } from './endpoints.ts'
import { toSchema, z } from './lazy-zod.ts'

const VALUES = [
  undefined,
  null,
  '',
  ' Ada ',
  'x'.repeat(50),
  0,
  7,
  -1,
  1.5,
  true,
  [],
  ['a'],
  {},
  { name: 'Ada' },
  { name: 'Ada', more: 1 },
  { name: 3 },
]

/** The same schemas, made by either library. */
const make = (library: typeof eager) => [
  library.string().trim().min(1).max(20).optional(),
  library.object({ name: library.string(), age: library.number().int().nullish() }),
  library.looseObject({ name: library.string().default('nobody') }),
  library
    .object({ name: library.string(), more: library.number() })
    .partial()
    .extend({ tags: library.array(library.string()).optional() }),
  library.object({
    ...library
      .object({ name: library.string() })
      .extend({ age: library.number() })
      .meta({ title: 'A' })
      .partial().shape,
    kind: library.enum([...library.enum(['a', 'b']).options, 'c']).optional(),
    first: library.array(library.string()).max(3).element.optional(),
    ...library
      .object({ a: library.string(), b: library.number(), c: library.number() })
      .pick({ a: true, b: true })
      .omit({ b: true })
      .partial().shape,
    more: library.object({ more: library.number() }).partial({ more: true }).shape.more,
  }),
  library.union([
    library.literal('x'),
    library.enum(['', 'Ada']),
    library.boolean(),
    library.null(),
  ]),
  library.record(library.string(), library.unknown()),
  library.array(library.string()).max(1),
  library.coerce.number().min(0),
  library.int().min(1).nullish(),
]

describe('a lazy schema', () => {
  test.each(make(z).map((schema, index) => [index, schema] as const))(
    'number %i checks as the eager one does',
    (index, schema) => {
      const reference = make(eager)[index]!
      for (const value of VALUES) {
        const { success, data, error } = schema.safeParse(value)
        expect({ success, data, issues: error?.issues }).toEqual({
          success: reference.safeParse(value).success,
          data: reference.safeParse(value).data,
          issues: reference.safeParse(value).error?.issues,
        })
      }
    },
  )

  test('is made of the parts of others without one of them being built', () => {
    let calls = 0
    const counted = z.preprocess((value) => value, z.string())
    const spied = Object.assign(counted, { make: () => ((calls += 1), eager.string()) })
    const person = z.object({ name: spied }).extend({ age: z.number() }).partial()
    const more = z.object({ ...person.shape, tag: z.enum(z.enum(['a']).options) })
    expect(calls).toBe(0)
    expect(more.safeParse({ tag: 'a' }).success).toBe(true)
    expect(calls).toBe(1)
  })

  test('is built when it is looked into, once, with its parts', () => {
    let calls = 0
    const counted = z.preprocess((value) => {
      calls += 1
      return value
    }, z.string())
    const schema = z.object({ name: counted }).optional()
    expect(calls).toBe(0)
    expect(toSchema(schema)).toBe(toSchema(schema))
    expect(schema.safeParse({ name: 'Ada' }).success).toBe(true)
    expect(calls).toBe(1)
  })

  test('keeps its name for the document, and what it is made of', () => {
    const schema = z.object({ name: z.string() }).meta({ id: 'LazyTest' })
    expect(schema.meta()).toEqual({ id: 'LazyTest' })
    expect(Object.keys(schema.shape)).toEqual(['name'])
    expect('_zod' in schema).toBe(true)
  })
})

test('loading the endpoint table builds none of its schemas', async () => {
  const built: string[] = []
  vi.doMock('zod', async (load) => {
    const { z: real } = await load<{ z: Readonly<Record<string, unknown>> }>()
    const spied = Object.entries(real).map(([name, make]) => [
      name,
      /^[a-z]/.test(name) && typeof make === 'function'
        ? (...given: unknown[]) => {
            built.push(name)
            return (make as (...given: unknown[]) => unknown)(...given)
          }
        : make,
    ])
    return { z: Object.fromEntries(spied) }
  })
  vi.resetModules()
  await import('./endpoints.ts')
  vi.doUnmock('zod')
  expect(built).toEqual([])
})

test('every schema of the endpoint table can be built', () => {
  const schemas = allEndpoints
    .flatMap(({ params, query, body, response }) => [params, query, body, response])
    .filter(Boolean)
  for (const schema of schemas) expect(toSchema(schema)).toBeInstanceOf(eager.ZodType)
})
