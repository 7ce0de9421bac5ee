import type { ZodType } from 'zod'
import { describe, expect, test } from 'vitest'
import { allEndpoints } from '#contract/endpoints.ts'
import { toSchema } from '#contract/lazy-zod.ts'
import { createOpenApiDocument } from './openapi.ts'
import { OPENAPI_TAGS } from './openapi-tags.ts'

interface Parameter {
  readonly in: string
  readonly name: string
  readonly required?: boolean
}

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly example?: unknown }>>
  }
}

const options = { title: 'Chat Gateway', version: '1.2.3', keyHeader: 'x-gateway-key' }
const api = createOpenApiDocument(allEndpoints, options) as unknown as ApiDocument
const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.values(methods).map((operation) => ({ path, ...operation })),
)
const operationOf = (id: string) => operations.find(({ operationId }) => operationId === id)!

describe('the API document', () => {
  test('has one operation for each endpoint, under a name of its own that a generated client can use', () => {
    const ids = operations.map(({ operationId }) => operationId)
    expect(ids).toHaveLength(allEndpoints.length)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z]\w+_\w+$/)
  })

  test('explains every tag it uses, and no other', () => {
    const used = new Set(operations.flatMap(({ tags }) => tags))
    expect(OPENAPI_TAGS.map(({ name }) => name).toSorted()).toEqual([...used].toSorted())
  })

  test('points to nothing that is missing', () => {
    const names = [
      ...JSON.stringify(api).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g),
    ].map(([, name]) => name!)
    for (const name of names) expect(api.components.schemas).toHaveProperty([name])
  })

  test('names exactly the parameters of each path, all of them required', () => {
    for (const { path, parameters = [] } of operations) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path')
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(new Set(inPath.map(({ name }) => name)), path).toEqual(new Set(wanted))
      expect(
        inPath.every(({ required }) => required),
        path,
      ).toBe(true)
    }
  })

  test('gives errors the shape of the dialect, beside `detail`', () => {
    const shapeOf = (id: string) =>
      operationOf(id).responses['400']!.content!['application/json']!.schema
    expect(shapeOf('completions_chatCompletions')).toEqual({
      $ref: '#/components/schemas/ChatCompletionsError',
    })
    expect(shapeOf('messages_create')).toEqual({ $ref: '#/components/schemas/MessagesError' })
    expect(shapeOf('runtimeProxy_generate')).toEqual({ $ref: '#/components/schemas/RuntimeError' })
    expect(shapeOf('chats_create')).toEqual({ $ref: '#/components/schemas/Error' })
  })

  test('says how replies travel and what uploads may be', () => {
    const typesOf = (id: string) => Object.keys(operationOf(id).responses['200']!.content!)
    expect(typesOf('completions_chatCompletions')).toEqual([
      'application/json',
      'text/event-stream',
    ])
    expect(typesOf('runtimeProxy_chat')).toEqual(['application/json', 'application/x-ndjson'])
    expect(typesOf('runtimeProxy_tags')).toEqual(['application/json'])
    expect(typesOf('users_profileImage')).toEqual(['image/*'])
    expect(Object.keys(operationOf('imports_create').requestBody!.content)).toContain(
      'application/zip',
    )
  })

  test('says who may call and under which further paths', () => {
    expect(operationOf('users_list').description).toBe('For administrators.')
    expect(operationOf('folders_list').description).toBe(
      'Needs the permission `features.folders`. Answers 403 while `ENABLE_FOLDERS` is off.',
    )
    expect(operationOf('files_html').description).toBe('The cookie of a browser opens it alone.')
    expect(operationOf('completions_completed').description).toBe(
      'Also at `/api/v1/chat/completed`.',
    )
  })

  test('has an example for what people send first', () => {
    for (const id of [
      'completions_chatCompletions',
      'messages_create',
      'responses_create',
      'embeddings_create',
      'embeddings_rerank',
      'chats_create',
      'chats_update',
    ])
      expect(exampleOf(id), id).toBeDefined()
    for (const id of [
      'auths_signin',
      'auths_createApiKey',
      'models_create',
      'folders_create',
      'prompts_create',
      'notes_create',
      'imports_records',
    ])
      expect(exampleOf(id), id).toBeDefined()
  })
})

function exampleOf(operationId: string): unknown {
  const endpoint = allEndpoints.find(({ id }) => id.replace('.', '_') === operationId)
  return (toSchema(endpoint?.body) as ZodType | undefined)?.meta()?.['example']
}

test('every example is accepted by the endpoint it stands at', () => {
  for (const endpoint of allEndpoints) {
    const example = exampleOf(endpoint.id.replace('.', '_'))
    if (example === undefined) continue
    const result = (toSchema(endpoint.body) as ZodType).safeParse(example)
    expect(result.error?.issues ?? [], endpoint.id).toEqual([])
  }
})
