import { beforeEach, describe, expect, it, vi } from 'vitest'
import { runAtOnce } from '../lib/turns.ts'
import { createTestChats, type TestChats } from '../testing/create-test-chats.ts'
import { TagStore } from './tags/store.ts'

let test: TestChats
let owner: string
beforeEach(() => {
  test = createTestChats()
  owner = test.addUser('owner')
})

/** A chat from `child: parent` pairs, in order of age. */
function createTree(parents: Record<string, string | null>, currentId?: string): string {
  const messages = Object.fromEntries(
    Object.entries(parents).map(([id, parentId]) => [
      id,
      { role: 'user', content: `text of ${id}`, parentId },
    ]),
  )
  return test.chats.create(owner, { title: 'Tree', history: { currentId, messages } }).id
}
const chain = (length: number) =>
  Object.fromEntries(
    Array.from({ length }, (_, index) => [`m${index}`, index === 0 ? null : `m${index - 1}`]),
  )
const FORKED = { q1: null, a1: 'q1', q2: 'a1', a2: 'q2', a1b: 'q1', q3: 'a1b' }
const ids = (page: { messages: { id: string }[] }) => page.messages.map(({ id }) => id)
const currentOf = (id: string) => test.chats.get(owner, id).chat.currentId

it('chats with a tag that very many have come newest first, and others with it do not', () => {
  const { storage } = test
  const tags = new TagStore(storage)
  const insert = storage.sqlite.prepare(
    "insert into chat (id, user_id, title, models, params, files, tags, timestamp, extra, history_extra, meta, pinned, archived, created_at, updated_at, deleted_at) values (?, ?, 'Many', '[]', '{}', '[]', '[]', 1, '{}', '{}', '{}', 0, ?, 1, ?, ?)",
  )
  const tag = storage.sqlite.prepare(
    "insert into chat_tag (chat_id, tag_id, user_id, name) values (?, 'work', ?, 'work')",
  )
  const expected: string[] = []
  storage.transaction(() => {
    for (let n = 0; n < 6000; n += 1) {
      const [isTagged, isArchived, isGone] = [n % 7 !== 0, n % 11 === 0, n % 13 === 0]
      // Several chats share a second, across the steps in which they are read.
      insert.run(`chat-${n}`, owner, isArchived ? 1 : 0, 100 + Math.floor(n / 9), isGone ? 5 : null)
      if (isTagged || n > 100) tag.run(`chat-${n}`, owner)
      if ((isTagged || n > 100) && !isArchived && !isGone) expected.unshift(`chat-${n}`)
    }
  })
  const read = (offset: number, limit: number) =>
    runAtOnce(tags.chats(owner, 'work', { offset, limit })).map(({ id }) => id)
  expect(read(0, 1000)).toEqual(expected.slice(0, 1000))
  expect(read(1500, 3)).toEqual(expected.slice(1500, 1503))
  expect(read(4000, 1000)).toEqual(expected.slice(4000, 5000))
  expect(read(expected.length, 10)).toEqual([])
  const steps = [...tags.chats(owner, 'work', { offset: 0, limit: 1000 })]
  expect(steps.length).toBeGreaterThan(1)
})

describe('a page of a branch', () => {
  it('is the end of the active thread with the siblings of each message, oldest first', () => {
    const page = test.chats.branch(owner, createTree(FORKED, 'a2'), { limit: 50 })
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

  it('goes through a message to the newest end of its branch', () => {
    const id = createTree(FORKED, 'a2')
    expect(ids(test.chats.branch(owner, id, { through: 'a1b', limit: 50 }))).toEqual([
      'q1',
      'a1b',
      'q3',
    ])
    expect(ids(test.chats.branch(owner, id, { through: 'q1', limit: 50 }))).toEqual([
      'q1',
      'a1b',
      'q3',
    ])
  })

  it('continues towards the root until before is null', () => {
    const id = createTree(chain(120), 'm119')
    const pages = [test.chats.branch(owner, id, { limit: 50 })]
    while (pages.at(-1)!.before !== null)
      pages.push(test.chats.branch(owner, id, { before: pages.at(-1)!.before!, limit: 50 }))
    expect(pages.map(({ messages }) => messages.length)).toEqual([50, 50, 20])
    expect(pages.toReversed().flatMap(ids)).toEqual(Object.keys(chain(120)))
  })

  it('shows the same messages as the whole chat', () => {
    const id = createTree(FORKED, 'a2')
    const whole = test.chats.get(owner, id).chat.messages
    const page = test.chats.branch(owner, id, { limit: 200 }).messages
    expect(page).toMatchObject(whole)
  })

  it('names the answers being written', () => {
    const id = createTree(FORKED, 'a2')
    const task = test.tasks.start({ userId: owner, chatId: id, messageId: 'a2' })
    expect(test.chats.branch(owner, id, { limit: 1 }).task_ids).toEqual([task.id])
    expect(test.chats.list(owner, {})[0]!.active).toBe(true)
    task.finish()
    expect(test.chats.branch(owner, id, { limit: 1 }).task_ids).toEqual([])
  })

  it('is empty for an empty chat and 404 for a message of another chat', () => {
    const empty = test.chats.create(owner, {}).id
    createTree({ elsewhere: null })
    expect(test.chats.branch(owner, empty, { limit: 50 })).toMatchObject({
      messages: [],
      before: null,
      currentId: null,
    })
    expect(() => test.chats.branch(owner, empty, { through: 'elsewhere', limit: 5 })).toThrow(
      'not in the chat',
    )
    expect(() => test.chats.branch(owner, empty, { before: 'elsewhere', limit: 5 })).toThrow(
      'not in the chat',
    )
  })

  it('holds for a chat of 10,000 messages in one line', () => {
    const id = createTree(chain(10_000), 'm9999')
    expect(test.chats.get(owner, id).chat.messages).toHaveLength(10_000)
    expect(ids(test.chats.branch(owner, id, { through: 'm0', limit: 2 }))).toEqual([
      'm9998',
      'm9999',
    ])
    expect(test.chats.thread(id, 'm9999')).toHaveLength(10_000)
    expect(test.chats.thread(id, 'm9999', 2)).toEqual([
      test.chats.message(id, 'm9998'),
      test.chats.message(id, 'm9999'),
    ])
    test.chats.removeMessage(owner, id, 'm1')
    expect(test.chats.get(owner, id).chat.messages.map((message) => message.id)).toEqual(['m0'])
  })
})

describe('the thread a model is told', () => {
  it('has what the messages of the branch say, however many there are', async () => {
    const id = createTree({ ...chain(200), beside: 'm100' }, 'm199')
    const spoken = await test.chats.spokenThread(id, 'm199')
    expect(spoken).toEqual(
      test.chats.thread(id, 'm199').map(({ role, content }) => ({ role, content })),
    )
    expect(spoken).toHaveLength(200)
    expect(await test.chats.spokenThread(id, 'm0')).toHaveLength(1)
    expect(await test.chats.spokenThread(id, 'nowhere')).toEqual([])
  })

  it('brings files and calls along, and parts of a content as they are', async () => {
    const id = createTree({ q: null, a: 'q' }, 'a')
    const files = [{ type: 'file', id: 'f' }]
    const output = [{ type: 'message' }]
    const parts = [{ type: 'text', text: 'Look' }]
    test.chats.update(owner, id, {
      history: { messages: { q: { content: parts, files }, a: { output, note: '"files"' } } },
    })
    expect(await test.chats.spokenThread(id, 'a')).toEqual([
      { role: 'user', content: parts, files },
      { role: 'user', content: test.chats.message(id, 'a')!.content, output },
    ])
  })
})

describe('removing a message', () => {
  it('takes what follows with it and leaves the branches beside it', () => {
    const id = createTree(FORKED, 'a2')
    test.chats.removeMessage(owner, id, 'a1')
    expect(Object.keys(test.chats.get(owner, id).chat.history.messages)).toEqual([
      'q1',
      'a1b',
      'q3',
    ])
    expect(test.chats.message(id, 'q1')!.childrenIds).toEqual(['a1b'])
  })

  it('moves the current message to the end of the nearest branch beside it, else to the parent', () => {
    const id = createTree(FORKED, 'a2')
    test.chats.removeMessage(owner, id, 'a1')
    expect(currentOf(id)).toBe('q3')
    test.chats.removeMessage(owner, id, 'a1b')
    expect(currentOf(id)).toBe('q1')
    test.chats.removeMessage(owner, id, 'q1')
    expect(currentOf(id)).toBeNull()
  })

  it('keeps the current message when it stands on another branch', () => {
    const id = createTree(FORKED, 'a2')
    test.chats.removeMessage(owner, id, 'q3')
    expect(currentOf(id)).toBe('a2')
  })

  it('stops the answer being written under it', () => {
    const id = createTree(FORKED, 'a2')
    const inside = test.tasks.start({ userId: owner, chatId: id, messageId: 'a2' })
    const beside = test.tasks.start({ userId: owner, chatId: id, messageId: 'a1b' })
    test.chats.removeMessage(owner, id, 'q2')
    expect(inside.signal.reason).toBe('deleted')
    expect(beside.signal.aborted).toBe(false)
  })
})

describe('the trash', () => {
  it('hides a deleted chat everywhere until it is restored, with everything in it', () => {
    const id = createTree(FORKED, 'a2')
    const before = test.chats.get(owner, id)
    test.chats.remove(owner, id)
    expect(test.chats.ownerOf(id)).toBeNull()
    expect(test.chats.list(owner, {})).toEqual([])
    expect(test.chats.search(owner, { text: 'text of a2' })).toEqual([])
    expect(() => test.chats.get(owner, id)).toThrow('does not exist')
    expect(() => test.chats.remove(owner, id)).toThrow('does not exist')
    expect(test.chats.restore(owner, id)).toMatchObject({ id, title: 'Tree' })
    expect(test.chats.get(owner, id)).toEqual(before)
  })

  it('ends what is being written in a deleted chat, so that a restored one is whole', () => {
    const id = createTree(FORKED, 'a2')
    const task = test.tasks.start({ userId: owner, chatId: id, messageId: 'a9' })
    test.chats.openAnswer({
      chatId: id,
      messageId: 'a9',
      model: 'm',
      modelName: 'M',
      parentId: 'q1',
    })
    test.chats.setLiveAnswers(() => ({ content: 'so far' }))
    test.chats.remove(owner, id)
    expect(task.signal.reason).toBe('deleted')
    test.chats.restore(owner, id)
    expect(test.chats.message(id, 'a9')).toMatchObject({
      content: 'so far',
      done: true,
      error: { code: 'stopped' },
    })
  })

  it('is emptied after 30 days, in bounded parts', async () => {
    const kept = createTree(FORKED, 'a2')
    const id = createTree(chain(1200), 'm1199')
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      test.chats.remove(owner, id)
      test.chats.remove(owner, kept)
      test.chats.restore(owner, kept)
      await test.chats.purgeTrash()
      expect(test.chats.restore(owner, id).id).toBe(id)
      test.chats.remove(owner, id)
      vi.setSystemTime(Date.now() + 31 * 86_400_000)
      await test.chats.purgeTrash()
      expect(() => test.chats.restore(owner, id)).toThrow('was deleted permanently')
      await test.storage.deletions.settled()
      expect(test.storage.deletions.list()).toEqual([])
      expect(
        test.storage.sqlite
          .prepare('select count(*) from message where chat_id = ?')
          .pluck()
          .get(id),
      ).toBe(0)
      expect(test.chats.get(owner, kept).id).toBe(kept)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('the chat list', () => {
  it('is newest first, 60 a page, all without a page', () => {
    const made = Array.from(
      { length: 70 },
      (_, index) => test.chats.create(owner, { title: `chat ${index}` }).id,
    ).reverse()
    const list = (request: { page?: number }) => test.chats.list(owner, request).map(({ id }) => id)
    expect(list({})).toEqual(made)
    expect(list({ page: 1 })).toEqual(made.slice(0, 60))
    expect(list({ page: 2 })).toEqual(made.slice(60))
    expect(list({ page: 3 })).toEqual([])
  })

  it('leaves out pinned chats and chats of folders unless they are asked for', () => {
    const pinned = test.chats.create(owner, { title: 'pinned' }).id
    const filed = test.chats.create(
      owner,
      { title: 'filed' },
      { folderId: test.addFolder(owner, 'f') },
    ).id
    expect(test.chats.togglePin(owner, pinned).pinned).toBe(true)
    expect(test.chats.list(owner, {})).toEqual([])
    expect(test.chats.list(owner, { includePinned: true }).map(({ id }) => id)).toEqual([pinned])
    expect(test.chats.list(owner, { includeFolders: true }).map(({ id }) => id)).toEqual([filed])
    expect(test.chats.togglePin(owner, pinned).pinned).toBe(false)
  })

  it('goes with its user: deleting the account deletes chats, messages and the index', () => {
    createTree(FORKED, 'a2')
    test.storage.sqlite.exec('delete from user')
    const counts = ['chat', 'message', 'message_search', 'chat_search'].map((table) =>
      test.storage.sqlite.prepare(`select count(*) from ${table}`).pluck().get(),
    )
    expect(counts).toEqual([0, 0, 0, 0])
  })
})
