import { expect, test } from 'vitest'
import { describeSchema, exampleOf } from './describe-schema.ts'
import { fillPath } from './operation-detail.tsx'
import { groupOperations, readOpenApi } from './read-openapi.ts'

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const api = readOpenApi({
  paths: {
    '/users/': {
      get: {
        operationId: 'users_list',
        tags: ['Users'],
        summary: 'Accounts, and the members of a group.',
        parameters: [
          { name: 'query', in: 'query', schema: { type: 'string' } },
          { name: 'X-Other', in: 'header', schema: { type: 'string' } },
        ],
        responses: {
          200: json({ type: 'array', items: reference('User') }),
          401: { description: 'No credentials.' },
        },
      },
    },
    '/users/{user_id}': {
      get: {
        operationId: 'users_get',
        tags: ['Users'],
        parameters: [{ name: 'user_id', in: 'path', required: true, schema: { type: 'string' } }],
      },
    },
    '/chat': {
      post: {
        operationId: 'chat',
        tags: ['Chat'],
        summary: 'Answers.',
        security: [],
        requestBody: json(reference('ChatInput')),
      },
    },
  },
  components: {
    schemas: {
      User: {
        type: 'object',
        properties: { id: { type: 'string' }, boss: reference('User') },
        required: ['id', 'boss'],
      },
      ChatInput: {
        type: 'object',
        properties: {
          model: { type: 'string' },
          stream: { type: 'boolean', default: true },
          size: { type: 'integer', minimum: 3 },
          seed: {},
        },
        required: ['model', 'stream', 'size'],
      },
    },
  },
})
const find = (id: string) => api.operations.find((operation) => operation.id === id)!

test('calls are read with what they take, answer and fail with', () => {
  expect(api.operations.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /users/',
    'GET /users/{user_id}',
    'POST /chat',
  ])
  expect(find('users_list')).toMatchObject({
    isOpen: false,
    body: null,
    parameters: [{ name: 'query', in: 'query', required: false }],
    failures: [{ status: '401', text: 'No credentials.' }],
  })
  expect(find('chat')).toMatchObject({ isOpen: true, response: null })
})

test('types are written as programmers know them', () => {
  const schema = {
    type: 'object',
    properties: {
      id: { type: 'string' },
      size: { type: ['integer', 'null'] },
      kinds: { type: 'array', items: { enum: ['a', 'b'] } },
    },
    required: ['id'],
  }
  expect(describeSchema(schema, {})).toBe(
    '{\n  id: string\n  size?: number | null\n  kinds?: ("a" | "b")[]\n}',
  )
})

test('a schema that leads back to itself ends', () => {
  expect(describeSchema(reference('User'), api.schemas)).toContain('boss: User')
  expect(JSON.stringify(exampleOf(reference('User'), api.schemas)).length).toBeLessThan(500)
})

test('an example holds what has to be there, with a model that exists', () => {
  expect(exampleOf(find('chat').body!, api.schemas, { model: 'river' })).toEqual({
    model: 'river',
    stream: true,
    size: 3,
  })
})

test('calls are found by words of their address and description', () => {
  expect(groupOperations(api.operations, 'GROUP members')).toMatchObject([
    ['Users', [{ id: 'users_list' }]],
  ])
  expect(groupOperations(api.operations, 'no such call')).toEqual([])
  expect(groupOperations(api.operations, '').flatMap(([, operations]) => operations)).toHaveLength(
    api.operations.length,
  )
})

test('values of parameters go into address and query', () => {
  expect(fillPath(find('users_list'), { query: 'a b' })).toBe('/users/?query=a+b')
  expect(fillPath(find('users_get'), { user_id: 'a/b' })).toBe('/users/a%2Fb')
  expect(fillPath(find('users_get'), {})).toContain('{user_id}')
})
