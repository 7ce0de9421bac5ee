import { expect, test } from 'vitest'
import { allEndpoints } from '#contract/endpoints.ts'
import { createOpenApiDocument } from '../../../../server/openapi.ts'
import { describeSchema, exampleOf } from './describe-schema.ts'
import { fillPath } from './operation-detail.tsx'
import { groupOperations, readOpenApi } from './read-openapi.ts'

const api = readOpenApi(createOpenApiDocument(allEndpoints, { title: 'API', version: '1' }))
const find = (id: string) => api.operations.find((operation) => operation.id === id)!

test('every endpoint of the gateway can be read, described and given an example', () => {
  expect(api.operations.length).toBeGreaterThan(150)
  for (const { body, response } of api.operations) {
    for (const schema of [body, response]) {
      if (!schema) continue
      expect(describeSchema(schema, api.schemas).length).toBeLessThan(100_000)
      expect(JSON.stringify(exampleOf(schema, api.schemas)) ?? '').not.toBe('undefined')
    }
  }
})

test('types are written as programmers know them', () => {
  const schema = {
    type: 'object',
    properties: { id: { type: 'string' }, size: { type: ['integer', 'null'] }, kinds: { type: 'array', items: { enum: ['a', 'b'] } } },
    required: ['id'],
  }
  expect(describeSchema(schema, {})).toBe('{\n  id: string\n  size?: number | null\n  kinds?: ("a" | "b")[]\n}')
  expect(
    describeSchema({ $ref: '#/components/schemas/Tree' }, { Tree: { type: 'object', properties: { next: { $ref: '#/x/Tree' } } } }),
  ).toContain('next?: Tree')
})

test('an example holds what has to be there, with a model that exists', () => {
  const { body } = find('auths_signin')
  expect(Object.keys(exampleOf(body!, api.schemas) as object)).toEqual(['email', 'password'])
  expect(exampleOf(find('completions_chatCompletions').body!, api.schemas, { model: 'river' })).toMatchObject({ model: 'river' })
})

test('calls are found by words of their address and description', () => {
  const groups = groupOperations(api.operations, 'GROUPS members')
  expect(groups.length).toBeGreaterThan(0)
  expect(groupOperations(api.operations, 'no such call')).toEqual([])
  expect(groupOperations(api.operations, '').flatMap(([, operations]) => operations)).toHaveLength(api.operations.length)
})

test('values of parameters go into address and query', () => {
  const operation = find('users_list')
  expect(fillPath(operation, { query: 'a b' })).toBe('/api/v1/users/?query=a+b')
  expect(fillPath(find('users_get'), { user_id: 'a/b' })).toBe('/api/v1/users/a%2Fb')
  expect(fillPath(find('users_get'), {})).toContain('{user_id}')
})
