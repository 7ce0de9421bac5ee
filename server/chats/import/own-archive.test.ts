import { describe, expect, it } from 'vitest'
import type { Chat } from '#contract/chats.ts'
import { useImports } from '../../testing/use-imports.ts'

const { server, owner, other, call, upload, run, allChats } = useImports()

/** Returns everything of a chat except what is new with every import. */
function comparable({ id: _id, user_id: _user, folder_id: _folder, ...chat }: Chat) {
  return chat
}

describe('our own archive', () => {
  it('read by another account gives equal chats, branches, folders, tags, pins and the archive included', async () => {
    const folder = (
      await call<{ id: string }>('POST', '/folders/', {
        name: 'Trips',
        data: { system_prompt: 'Guide me.' },
      })
    ).body.id
    const inner = (
      await call<{ id: string }>('POST', '/folders/', { name: 'North', parent_id: folder })
    ).body.id
    const messages = {
      q1: {
        role: 'user',
        content: [{ type: 'text', text: 'Look' }],
        childrenIds: ['a1', 'a2', 'later'],
        timestamp: 10,
        models: ['m'],
      },
      a1: {
        role: 'assistant',
        content: 'One',
        parentId: 'q1',
        model: 'm',
        done: true,
        usage: { total_tokens: 3 },
        timestamp: 11,
      },
      a2: {
        role: 'assistant',
        content: 'Two',
        parentId: 'q1',
        model: 'm',
        reasoning_content: 'Hm',
        timestamp: 12,
        annotation: { rating: 1 },
      },
    }
    const body = {
      title: 'Tree',
      models: ['m'],
      tags: ['Sea', { name: 'Sun' }],
      params: { temperature: 1 },
      history: { currentId: 'a1', messages },
    }
    const tree = (await call<Chat>('POST', '/chats/new', { chat: body, folder_id: inner })).body.id
    const odd = JSON.parse(
      '{"title":"Odd","history":{"currentId":"__proto__","messages":{"__proto__":{"role":"user","content":"x"}}}}',
    ) as object
    const pinned = (await call<Chat>('POST', '/chats/new', { chat: odd })).body.id
    await call('POST', `/chats/${pinned}/pin`)
    const archived = (await call<Chat>('POST', '/chats/new', { chat: { title: 'Old' } })).body.id
    await call('POST', `/chats/${archived}/archive`)
    const originals = await Promise.all(
      [tree, pinned, archived].map(async (id) => (await call<Chat>('GET', `/chats/${id}`)).body),
    )

    const archive = await (
      await server().call('GET', '/api/v1/chats/export', { token: owner() })
    ).text()
    const { body: read } = await upload(archive, { token: other(), type: 'application/json' })
    expect(read).toMatchObject({ source: 'own', problems: [] })
    expect(read.chats.find((chat) => chat.title === 'Tree')).toMatchObject({
      message_count: 3,
      branch_count: 2,
      state: 'new',
    })
    expect(await run(read.import_id, { all: true }, other())).toMatchObject({
      created: 3,
      updated: 0,
      unchanged: 0,
      failed: 0,
    })

    const copies = [
      ...(await allChats(other())),
      ...(await call<Chat[]>('GET', '/chats/all/archived', undefined, other())).body,
    ]
    const byTitle = (chats: Chat[]) =>
      Object.fromEntries(chats.map((chat) => [chat.title, comparable(chat)]))
    expect(byTitle(copies)).toEqual(byTitle(originals))
    const folders = (
      await call<{ id: string; name: string; parent_id: string | null }[]>(
        'GET',
        '/folders/',
        undefined,
        other(),
      )
    ).body
    expect(folders.map(({ name }) => name)).toEqual(['North', 'Trips'])
    expect(folders[0]!.parent_id).toBe(folders[1]!.id)
    expect(copies.find((chat) => chat.title === 'Tree')!.folder_id).toBe(folders[0]!.id)
    expect(await run(read.import_id, { all: true }, other())).toMatchObject({
      created: 0,
      unchanged: 3,
    })
  })

  it('read by the account it came from changes nothing', async () => {
    await call('POST', '/chats/new', { chat: { title: 'Mine' } })
    const before = await allChats()
    const archive = await (
      await server().call('GET', '/api/v1/chats/export', { token: owner() })
    ).text()
    const { body } = await upload(archive, { type: 'application/json' })
    expect(body.chats).toMatchObject([{ state: 'known' }])
    expect(await run(body.import_id)).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 1,
      failed: 0,
    })
    expect(await allChats()).toEqual(before)
  })
})
