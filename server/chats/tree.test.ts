import { mapInOrder } from '../lib/in-order.ts'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { finishSteps } from '../lib/turns.ts'
import { createTestChats, type TestChats } from '../testing/create-test-chats.ts'
import { TagStore } from './tags/store.ts'

let test: TestChats
let owner: string
beforeEach(async () => {
  test = await createTestChats()
  owner = await test.addUser('owner')
})

/** Creates a chat from `child: parent` pairs, in order of age. */
async function createTree(
  parents: Record<string, string | null>,
  currentId?: string,
): Promise<string> {
  const messages = Object.fromEntries(
    Object.entries(parents).map(([id, parentId]) => [
      id,
      { role: 'user', content: `text of ${id}`, parentId },
    ]),
  )
  return (await test.chats.create(owner, { title: 'Tree', history: { currentId, messages } })).id
}
const chain = (length: number) =>
  Object.fromEntries(
    Array.from({ length }, (_, index) => [`m${index}`, index === 0 ? null : `m${index - 1}`]),
  )
const FORKED = { q1: null, a1: 'q1', q2: 'a1', a2: 'q2', a1b: 'q1', q3: 'a1b' }
const ids = (page: { messages: { id: string }[] }) => page.messages.map(({ id }) => id)
const currentOf = async (id: string) => (await test.chats.get(owner, id)).chat.currentId

it('chats with a tag that very many have come newest first, and others with it do not', async () => {
  const { storage } = test
  const tags = new TagStore(storage)
  const insert = storage.prepare(
    "insert into chat (id, user_id, title, models, params, files, tags, timestamp, extra, history_extra, meta, pinned, archived, created_at, updated_at, deleted_at) values (?, ?, 'Many', '[]', '{}', '[]', '[]', 1, '{}', '{}', '{}', 0, ?, 1, ?, ?)",
  )
  const tag = storage.prepare(
    "insert into chat_tag (chat_id, tag_id, user_id, name) values (?, 'work', ?, 'work')",
  )
  const expected: string[] = []
  await storage.transaction(async () => {
    for (let n = 0; n < 6000; n += 1) {
      const [isTagged, isArchived, isGone] = [n % 7 !== 0, n % 11 === 0, n % 13 === 0]
      // Several chats share a second, across the batches in which they are read.
      await insert.run(
        `chat-${n}`,
        owner,
        isArchived ? 1 : 0,
        100 + Math.floor(n / 9),
        isGone ? 5 : null,
      )
      if (isTagged || n > 100) await tag.run(`chat-${n}`, owner)
      if ((isTagged || n > 100) && !isArchived && !isGone) expected.unshift(`chat-${n}`)
    }
  })
  const read = async (offset: number, limit: number) =>
    (await finishSteps(tags.chats(owner, 'work', { offset, limit }))).map(({ id }) => id)
  expect(await read(0, 1000)).toEqual(expected.slice(0, 1000))
  expect(await read(1500, 3)).toEqual(expected.slice(1500, 1503))
  expect(await read(4000, 1000)).toEqual(expected.slice(4000, 5000))
  expect(await read(expected.length, 10)).toEqual([])
  const steps = [...(await Array.fromAsync(tags.chats(owner, 'work', { offset: 0, limit: 1000 })))]
  expect(steps.length).toBeGreaterThan(1)
})

describe('a page of a branch', () => {
  it('is the end of the active thread with the siblings of each message, oldest first', async () => {
    const page = await test.chats.branch(owner, await createTree(FORKED, 'a2'), { limit: 50 })
    expect(ids(page)).toEqual(['q1', 'a1', 'q2', 'a2'])
    expect(page.messages.map(({ siblingIds }) => siblingIds)).toEqual([
      ['q1'],
      ['a1', 'a1b'],
      ['q2'],
      ['a2'],
    ])
    expect(page.messages.map(({ childrenIds }) => childrenIds)).toEqual([
      ['a1', 'a1b'],
      ['q2'],
      ['a2'],
      [],
    ])
    expect(page).toMatchObject({
      currentId: 'a2',
      before: null,
      title: 'Tree',
      pinned: false,
      task_ids: [],
    })
  })

  it('goes through a message to the newest end of its branch', async () => {
    const id = await createTree(FORKED, 'a2')
    expect(ids(await test.chats.branch(owner, id, { through: 'a1b', limit: 50 }))).toEqual([
      'q1',
      'a1b',
      'q3',
    ])
    expect(ids(await test.chats.branch(owner, id, { through: 'q1', limit: 50 }))).toEqual([
      'q1',
      'a1b',
      'q3',
    ])
  })

  it('continues towards the root until before is null', async () => {
    const id = await createTree(chain(120), 'm119')
    const pages = [await test.chats.branch(owner, id, { limit: 50 })]
    while (pages.at(-1)!.before !== null)
      pages.push(await test.chats.branch(owner, id, { before: pages.at(-1)!.before!, limit: 50 }))
    expect(pages.map(({ messages }) => messages.length)).toEqual([50, 50, 20])
    expect(pages.toReversed().flatMap(ids)).toEqual(Object.keys(chain(120)))
  })

  it('shows the same messages as the whole chat', async () => {
    const id = await createTree(FORKED, 'a2')
    const whole = (await test.chats.get(owner, id)).chat.messages
    const page = (await test.chats.branch(owner, id, { limit: 200 })).messages
    expect(page).toMatchObject(whole)
  })

  it('names the answers being written', async () => {
    const id = await createTree(FORKED, 'a2')
    const task = test.tasks.start({ userId: owner, chatId: id, messageId: 'a2' })
    expect((await test.chats.branch(owner, id, { limit: 1 })).task_ids).toEqual([task.id])
    expect((await test.chats.list(owner, {}))[0]!.active).toBe(true)
    task.finish()
    expect((await test.chats.branch(owner, id, { limit: 1 })).task_ids).toEqual([])
  })

  it('is empty for an empty chat and 404 for a message of another chat', async () => {
    const empty = (await test.chats.create(owner, {})).id
    await createTree({ elsewhere: null })
    expect(await test.chats.branch(owner, empty, { limit: 50 })).toMatchObject({
      messages: [],
      before: null,
      currentId: null,
    })
    await expect(() =>
      test.chats.branch(owner, empty, { through: 'elsewhere', limit: 5 }),
    ).rejects.toThrow('not in the chat')
    await expect(() =>
      test.chats.branch(owner, empty, { before: 'elsewhere', limit: 5 }),
    ).rejects.toThrow('not in the chat')
  })

  it('holds for a chat of 10,000 messages in one line', async () => {
    const id = await createTree(chain(10_000), 'm9999')
    expect((await test.chats.get(owner, id)).chat.messages).toHaveLength(10_000)
    expect(ids(await test.chats.branch(owner, id, { through: 'm0', limit: 2 }))).toEqual([
      'm9998',
      'm9999',
    ])
    expect(await test.chats.thread(id, 'm9999')).toHaveLength(10_000)
    expect(await test.chats.thread(id, 'm9999', 2)).toEqual([
      await test.chats.message(id, 'm9998'),
      await test.chats.message(id, 'm9999'),
    ])
    await test.chats.removeMessage(owner, id, 'm1')
    expect((await test.chats.get(owner, id)).chat.messages.map((message) => message.id)).toEqual([
      'm0',
    ])
  })
})

describe('the thread a model is told', () => {
  it('has what the messages of the branch say, however many there are', async () => {
    const id = await createTree({ ...chain(200), beside: 'm100' }, 'm199')
    const spoken = await test.chats.spokenThread(id, 'm199')
    expect(spoken).toEqual(
      (await test.chats.thread(id, 'm199')).map(({ role, content }) => ({ role, content })),
    )
    expect(spoken).toHaveLength(200)
    expect(await test.chats.spokenThread(id, 'm0')).toHaveLength(1)
    expect(await test.chats.spokenThread(id, 'nowhere')).toEqual([])
  })

  it('brings files and calls along, and parts of a content as they are', async () => {
    const id = await createTree({ q: null, a: 'q' }, 'a')
    const files = [{ type: 'file', id: 'f' }]
    const output = [{ type: 'message' }]
    const parts = [{ type: 'text', text: 'Look' }]
    await test.chats.update(owner, id, {
      history: { messages: { q: { content: parts, files }, a: { output, note: '"files"' } } },
    })
    expect(await test.chats.spokenThread(id, 'a')).toEqual([
      { role: 'user', content: parts, files },
      { role: 'user', content: (await test.chats.message(id, 'a'))!.content, output },
    ])
  })
})

describe('removing a message', () => {
  it('takes what follows with it and leaves the branches beside it', async () => {
    const id = await createTree(FORKED, 'a2')
    await test.chats.removeMessage(owner, id, 'a1')
    expect(Object.keys((await test.chats.get(owner, id)).chat.history.messages)).toEqual([
      'q1',
      'a1b',
      'q3',
    ])
    expect((await test.chats.message(id, 'q1'))!.childrenIds).toEqual(['a1b'])
  })

  it('moves the current message to the end of the nearest branch beside it, else to the parent', async () => {
    const id = await createTree(FORKED, 'a2')
    await test.chats.removeMessage(owner, id, 'a1')
    expect(await currentOf(id)).toBe('q3')
    await test.chats.removeMessage(owner, id, 'a1b')
    expect(await currentOf(id)).toBe('q1')
    await test.chats.removeMessage(owner, id, 'q1')
    expect(await currentOf(id)).toBeNull()
  })

  it('keeps the current message when it stands on another branch', async () => {
    const id = await createTree(FORKED, 'a2')
    await test.chats.removeMessage(owner, id, 'q3')
    expect(await currentOf(id)).toBe('a2')
  })

  it('stops the answer being written under it', async () => {
    const id = await createTree(FORKED, 'a2')
    const inside = test.tasks.start({ userId: owner, chatId: id, messageId: 'a2' })
    const beside = test.tasks.start({ userId: owner, chatId: id, messageId: 'a1b' })
    await test.chats.removeMessage(owner, id, 'q2')
    expect(inside.signal.reason).toBe('deleted')
    expect(beside.signal.aborted).toBe(false)
  })
})

describe('the trash', () => {
  it('hides a deleted chat everywhere until it is restored, with everything in it', async () => {
    const id = await createTree(FORKED, 'a2')
    const before = await test.chats.get(owner, id)
    await test.chats.remove(owner, id)
    expect(await test.chats.ownerOf(id)).toBeNull()
    expect(await test.chats.list(owner, {})).toEqual([])
    expect(await test.chats.search(owner, { text: 'text of a2' })).toEqual([])
    await expect(() => test.chats.get(owner, id)).rejects.toThrow('does not exist')
    await expect(() => test.chats.remove(owner, id)).rejects.toThrow('does not exist')
    expect(await test.chats.restore(owner, id)).toMatchObject({ id, title: 'Tree' })
    expect(await test.chats.get(owner, id)).toEqual(before)
  })

  it('ends what is being written in a deleted chat, so that a restored one is whole', async () => {
    const id = await createTree(FORKED, 'a2')
    const task = test.tasks.start({ userId: owner, chatId: id, messageId: 'a9' })
    await test.chats.openAnswer({
      chatId: id,
      messageId: 'a9',
      model: 'm',
      modelName: 'M',
      parentId: 'q1',
    })
    test.chats.setLiveAnswers(() => ({ content: 'so far' }))
    await test.chats.remove(owner, id)
    expect(task.signal.reason).toBe('deleted')
    await test.chats.restore(owner, id)
    expect(await test.chats.message(id, 'a9')).toMatchObject({
      content: 'so far',
      done: true,
      error: { code: 'stopped' },
    })
  })

  it('is emptied after 30 days, in bounded parts', async () => {
    const kept = await createTree(FORKED, 'a2')
    const id = await createTree(chain(1200), 'm1199')
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      await test.chats.remove(owner, id)
      await test.chats.remove(owner, kept)
      await test.chats.restore(owner, kept)
      await test.chats.purgeTrash()
      expect((await test.chats.restore(owner, id)).id).toBe(id)
      await test.chats.remove(owner, id)
      vi.setSystemTime(Date.now() + 31 * 86_400_000)
      await test.chats.purgeTrash()
      await expect(() => test.chats.restore(owner, id)).rejects.toThrow('was deleted permanently')
      await test.storage.deletions.settled()
      expect(await test.storage.deletions.list()).toEqual([])
      expect(
        await test.storage
          .prepare('select count(*) from message where chat_id = ?')
          .pluck()
          .get(id),
      ).toBe(0)
      expect((await test.chats.get(owner, kept)).id).toBe(kept)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('the chat list', () => {
  it('is newest first, 60 a page, all without a page', async () => {
    const made = (
      await mapInOrder(
        Array.from({ length: 70 }),
        async (_, index) => (await test.chats.create(owner, { title: `chat ${index}` })).id,
      )
    ).reverse()
    const list = async (request: { page?: number }) =>
      (await test.chats.list(owner, request)).map(({ id }) => id)
    expect(await list({})).toEqual(made)
    expect(await list({ page: 1 })).toEqual(made.slice(0, 60))
    expect(await list({ page: 2 })).toEqual(made.slice(60))
    expect(await list({ page: 3 })).toEqual([])
  })

  it('leaves out pinned chats and chats of folders unless they are asked for', async () => {
    const pinned = (await test.chats.create(owner, { title: 'pinned' })).id
    const filed = (
      await test.chats.create(
        owner,
        { title: 'filed' },
        { folderId: await test.addFolder(owner, 'f') },
      )
    ).id
    expect((await test.chats.togglePin(owner, pinned)).pinned).toBe(true)
    expect(await test.chats.list(owner, {})).toEqual([])
    expect((await test.chats.list(owner, { includePinned: true })).map(({ id }) => id)).toEqual([
      pinned,
    ])
    expect((await test.chats.list(owner, { includeFolders: true })).map(({ id }) => id)).toEqual([
      filed,
    ])
    expect((await test.chats.togglePin(owner, pinned)).pinned).toBe(false)
  })

  it('goes with its user: deleting the account deletes chats, messages and the index', async () => {
    await createTree(FORKED, 'a2')
    await test.storage.prepare('delete from "user"').run()
    const counts = await Promise.all(
      ['chat', 'message', 'message_search', 'chat_search'].map((table) =>
        test.storage.prepare(`select count(*) from ${table}`).pluck().get(),
      ),
    )
    expect(counts).toEqual([0, 0, 0, 0])
  })
})
