import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allEndpoints } from '#contract/endpoints.ts'
import { createWorld, type World } from '../testing/create-world.ts'

const SECRET = 'The vault opens with the word heliotrope.'
const OWN = 'A text of the other person about gardens.'

/** The owner's objects, and objects of the other user to add them to. */
interface Things {
  readonly fileId: string
  readonly knowledgeId: string
  readonly directoryId: string
  readonly collection: string
  readonly generated: string
  readonly otherKnowledgeId: string
  readonly otherFileId: string
}

let world: World
let things: Things

async function call(
  name: 'owner' | 'other',
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; text: string }> {
  const reply = await world.server.call(method, path, { token: world.tokens[name], body })
  return { status: reply.status, text: await reply.text() }
}
const post = async (
  name: 'owner' | 'other',
  path: string,
  body: unknown,
): Promise<Record<string, string>> =>
  JSON.parse((await call(name, 'POST', `/api/v1/${path}`, body)).text) as Record<string, string>

async function upload(name: 'owner' | 'other', text: string): Promise<string> {
  const content = { bytes: Buffer.from(text) }
  const options = { process: true, background: false }
  const { files } = world.server.context
  return (
    await files.create(
      world.ids[name],
      { filename: 'secret.txt', contentType: null, content },
      options,
    )
  ).id
}

beforeAll(async () => {
  world = await createWorld()
  const permissions = { workspace: { knowledge: true, models: true } }
  await world.server.context.settings.update({
    USER_PERMISSIONS: JSON.stringify(permissions),
    ENABLE_WEB_SEARCH: true,
  })
  const [fileId, otherFileId] = [await upload('owner', SECRET), await upload('other', OWN)]
  const knowledgeId = (await post('owner', 'knowledge/create', { name: 'Vaults' }))['id']!
  const otherKnowledgeId = (await post('other', 'knowledge/create', { name: 'Gardens' }))['id']!
  await post('owner', `knowledge/${knowledgeId}/file/add`, { file_id: fileId })
  const directoryId = (
    await post('owner', `knowledge/${knowledgeId}/dirs/create`, { name: 'Keys' })
  )['id']!
  await post('owner', 'retrieval/process/text', {
    name: 'Vault',
    content: SECRET,
    collection_name: 'vault',
  })
  const generated = (
    await post('owner', 'retrieval/process/text', { name: 'Vault', content: SECRET })
  )['collection_name']!
  things = {
    fileId,
    knowledgeId,
    directoryId,
    collection: 'vault',
    generated,
    otherKnowledgeId,
    otherFileId,
  }
})
afterAll(() => world.server.close())

interface Attempt {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

/** Every way to name a file, a collection or a directory, each tried with the owner's. */
function attempts(): Record<string, Attempt[]> {
  const { fileId, knowledgeId, directoryId, collection, generated, otherKnowledgeId, otherFileId } =
    things
  const file = `/api/v1/files/${fileId}`
  const owned = `/api/v1/knowledge/${knowledgeId}`
  const theirs = `/api/v1/knowledge/${otherKnowledgeId}`
  const retrieval = '/api/v1/retrieval'
  const names = [
    collection,
    generated,
    knowledgeId,
    `file-${fileId}`,
    `FILE-${fileId}`,
    `${knowledgeId} `,
    'knowledge-bases',
    `user-memory-${world.ids.owner}`,
  ]
  const at = (path: string, body: unknown): Attempt => ({ method: 'POST', path, body })
  const get = (path: string): Attempt => ({ method: 'GET', path })
  const fromEndpoints = allEndpoints
    .filter(({ id, auth }) => /^(files|knowledge)\./.test(id) && auth === 'user')
    .filter(({ path }) => /:(file_id|knowledge_id)/.test(path))
    .map(({ id, method, path, body }) => {
      const filled = path
        .replace(':file_id', fileId)
        .replace(':knowledge_id', knowledgeId)
        .replace(':directory_id', directoryId)
        .replace(':name', 'secret.txt')
      const sent =
        id === 'knowledge.addFiles'
          ? [{ file_id: fileId }]
          : { file_id: fileId, filename: 'x.txt', content: 'x', name: 'x', files: [], file_ids: [] }
      return { id, attempt: { method, path: filled, ...(body && { body: sent }) } }
    })
  return {
    ...Object.fromEntries(fromEndpoints.map(({ id, attempt }) => [id, [attempt]])),
    'the file in a collection of their own': [
      at(`${theirs}/file/add`, { file_id: fileId }),
      at(`${theirs}/file/add`, { file_id: otherFileId, directory_id: directoryId }),
      at(`${theirs}/file/update`, { file_id: fileId }),
      at(`${theirs}/file/move`, { file_id: fileId }),
      at(`${theirs}/file/remove`, { file_id: fileId }),
      at(`${theirs}/dirs/create`, { name: 'x', parent_id: directoryId }),
      at(`${theirs}/dirs/${directoryId}/update`, { name: 'x' }),
      { method: 'DELETE', path: `${theirs}/dirs/${directoryId}/delete` },
      at(`${owned}/file/add`, { file_id: otherFileId }),
      get(`${owned}/files?query=secret`),
    ],
    'the file by itself': [
      at(`${retrieval}/process/file`, { file_id: fileId }),
      at(`${retrieval}/process/file`, { file_id: fileId, content: 'x' }),
      get(`${file}/content`),
    ],
    'collections by their names': names.flatMap((name) => [
      at(`${retrieval}/query/doc`, { collection_name: name, query: 'vault' }),
      at(`${retrieval}/query/collection`, {
        collection_names: [`file-${otherFileId}`, name],
        query: 'vault',
      }),
      at(`${retrieval}/process/file`, { file_id: otherFileId, collection_name: name }),
      at(`${retrieval}/process/files/batch`, { files: [otherFileId], collection_name: name }),
    ]),
    'writing into collections': [collection, knowledgeId, `file-${fileId}`, generated].flatMap(
      (name) => [
        at(`${retrieval}/process/text`, { name: 'x', content: 'x', collection_name: name }),
        at(`${retrieval}/process/web?overwrite=true`, {
          url: 'https://example.org/',
          collection_name: name,
        }),
      ],
    ),
    'folders and models': [
      at('/api/v1/folders/', { name: 'Work', data: { files: [{ type: 'file', id: fileId }] } }),
      at('/api/v1/folders/', {
        name: 'Work',
        data: { files: [{ type: 'collection', id: knowledgeId }] },
      }),
      at('/api/v1/folders/', {
        name: 'Work',
        data: { files: [{ type: 'web', collection_name: collection }] },
      }),
      at('/api/v1/models/create', {
        id: 'm',
        name: 'M',
        base_model_id: 'guide',
        meta: { knowledge: [{ type: 'collection', id: knowledgeId }] },
      }),
      at('/api/v1/models/create', {
        id: 'm',
        name: 'M',
        base_model_id: 'guide',
        meta: { knowledge: [{ type: 'file', id: fileId }] },
      }),
    ],
    'an answer': [
      { type: 'file', id: fileId },
      { type: 'collection', id: knowledgeId },
      { type: 'web', collection_name: collection },
      { type: 'file', collection_name: `file-${fileId}` },
    ].map((entry) =>
      at('/api/chat/completions', {
        model: 'guide',
        messages: [{ role: 'user', content: 'What is the word of the vault?' }],
        files: [entry],
      }),
    ),
  }
}

describe('of what one person keeps, another (security rows 39 to 44)', () => {
  it('gets nothing by any endpoint, is told it does not exist, and changes nothing', async () => {
    const tried = Object.entries(attempts())
    expect(tried.length).toBeGreaterThan(25)
    const before = await snapshot()
    for (const [what, list] of tried) {
      for (const { method, path, body } of list) {
        const told = `${what}: ${method} ${path} ${JSON.stringify(body)}`
        const { status, text } = await call('other', method, path, body)
        expect(text, told).not.toContain('heliotrope')
        expect(status, `${told} → ${text.slice(0, 200)}`).toBe(404)
      }
    }
    expect(await snapshot()).toEqual(before)
  })

  it('finds nothing in lists and searches', async () => {
    for (const path of [
      'files/',
      'knowledge/',
      'knowledge/list',
      'knowledge/search?query=vault',
      'knowledge/search/files?query=secret',
      'folders/',
    ]) {
      const { text } = await call('other', 'GET', `/api/v1/${path}`)
      expect(text, path).not.toContain(things.fileId)
      expect(text, path).not.toContain(things.knowledgeId)
    }
  })
})

/** Returns everything the owner has, as the owner sees it. */
async function snapshot(): Promise<unknown> {
  const { fileId, knowledgeId, collection } = things
  const ask = (name: string) =>
    call('owner', 'POST', '/api/v1/retrieval/query/doc', {
      collection_name: name,
      query: 'vault heliotrope',
    })
  return [
    await call('owner', 'GET', `/api/v1/files/${fileId}`),
    await call('owner', 'GET', `/api/v1/knowledge/${knowledgeId}`),
    await ask(collection),
    await ask(knowledgeId),
    await ask(`file-${fileId}`),
  ]
}
