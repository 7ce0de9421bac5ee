import { expect, test, vi } from 'vitest'
import { createLogger } from '../../lib/logger.ts'
import type { Caller } from '../../lib/http.ts'
import { createTestChats } from '../../testing/create-test-chats.ts'
import { Tasks } from '../../tasks/index.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { createLiveAnswers } from '../answer/live-answers.ts'
import type { Turn } from '../turn/open-turn.ts'
import { TemporaryTexts } from '../turn/temporary-texts.ts'
import { completeChat, runInlineOutlet } from './outlet.ts'
import type { Outlet } from '../../extensions/filters.ts'

const { signal } = new AbortController()
const shout: Outlet['run'] = (body) => {
  for (const message of body.messages)
    if (message['role'] === 'assistant')
      message['content'] = String(message['content']).toUpperCase()
  return body
}
const sign: Outlet['run'] = (body) => ({
  ...body,
  messages: body.messages.map((message) =>
    message['role'] === 'assistant'
      ? { ...message, content: `${String(message['content'])}!` }
      : message,
  ),
})

async function start(runs: readonly Outlet['run'][], { isInline = true, takesPart = true } = {}) {
  const outlets = runs.map((run): Outlet => ({ takesPart: () => takesPart, run }))
  const { chats, emitted, addUser } = await createTestChats()
  const userId = await addUser('ada')
  const caller: Caller = {
    userId,
    role: 'user',
    name: 'Ada',
    email: 'ada@example.org',
    credential: 'bearer',
    keyId: null,
  }
  const messages = {
    q: {
      id: 'q',
      role: 'user',
      content: 'Hello',
      parentId: null,
      childrenIds: ['a'],
      timestamp: 1,
    },
    a: {
      id: 'a',
      role: 'assistant',
      content: 'hi',
      parentId: 'q',
      childrenIds: [],
      timestamp: 2,
      done: true,
    },
  }
  const chat = await chats.create(userId, {
    title: 'A chat',
    models: ['m'],
    history: { currentId: 'a', messages },
  })
  const events = {
    emit: (id: string, event: object) => void emitted.push({ ...event, userId: id } as never),
    emitTo: (session: string, id: string, event: object) =>
      void emitted.push({ ...event, userId: id, session } as never),
  }
  const parts = {
    chats,
    outlets,
    events: { ...events, hasSession: () => false, limits: { requireFit: () => undefined } },
    settings: { get: () => isInline },
    log: createLogger('silent'),
    live: createLiveAnswers(),
    tasks: new Tasks(),
    models: { resolve: () => ({}) },
  } as unknown as CompletionsParts
  const turn = { userId, chatId: chat.id, messageId: 'a', temporarySession: null } as Turn
  const outletEvents = () => emitted.filter(({ data }) => data.type === 'chat:outlet')
  return {
    parts,
    caller,
    chats,
    chatId: chat.id,
    turn,
    outletEvents,
    stored: async () => (await chats.message(chat.id, 'a'))!,
  }
}
const bodyOf = (chatId?: string) => ({
  model: 'm',
  messages: [
    { id: 'q', role: 'user', content: 'Hello' },
    { id: 'a', role: 'assistant', content: 'hi' },
  ],
  extra: 1,
  ...(chatId && { chat_id: chatId, id: 'a' }),
})

test('Without filters the body comes back as it was, ids or not', async () => {
  const { parts, caller, chatId, outletEvents } = await start([])
  expect(await completeChat(parts, { caller, body: bodyOf(), signal })).toEqual(bodyOf())
  expect(await completeChat(parts, { caller, body: bodyOf(chatId), signal })).toEqual(
    bodyOf(chatId),
  )
  expect(outletEvents()).toEqual([])
})

test('Filters run in order over the conversation of a script, and nothing of it is stored', async () => {
  const { parts, caller, chatId, stored, outletEvents } = await start([shout, sign])
  const result = await completeChat(parts, { caller, body: bodyOf(chatId), signal })
  expect(result.messages[1]).toMatchObject({ content: 'HI!' })
  expect((await stored()).content).toBe('hi')
  expect(outletEvents()).toEqual([])
})

test('Filters run in order over an answer of the gateway; the stored answer is changed and windows hear of it', async () => {
  const { parts, caller, chatId, turn, stored, outletEvents } = await start([shout, sign])
  await runInlineOutlet(parts, caller, { turn, sent: bodyOf(), answered: 'hi', signal })
  expect(await stored()).toMatchObject({ content: 'HI!', originalContent: 'hi', done: true })
  expect(outletEvents()).toMatchObject([
    {
      chat_id: chatId,
      message_id: 'a',
      data: { data: { messages: [{ id: 'a', content: 'HI!' }] } },
    },
  ])
})

test('An answer that no filter would look at is not read again', async () => {
  const { parts, caller, turn } = await start([shout], { takesPart: false })
  const read = vi.spyOn(parts.chats, 'wholeThread')
  await runInlineOutlet(parts, caller, {
    turn,
    sent: { model: 'm', messages: [] },
    answered: 'hi',
    signal,
  })
  expect(read).not.toHaveBeenCalled()
})

test('Without ids, or for a temporary chat, nothing is stored', async () => {
  const { parts, caller, stored } = await start([shout])
  expect((await completeChat(parts, { caller, body: bodyOf(), signal })).messages[1]).toMatchObject(
    { content: 'HI' },
  )
  expect(
    (
      await completeChat(parts, {
        caller,
        body: { ...bodyOf(), chat_id: 'local:window', id: 'a' },
        signal,
      })
    ).messages[1],
  ).toMatchObject({
    content: 'HI',
  })
  expect((await stored()).content).toBe('hi')
})

test('A foreign chat is a 404 and stays', async () => {
  const { parts, caller, chatId, stored } = await start([shout])
  await expect(
    completeChat(parts, {
      caller: { ...caller, userId: 'eve', role: 'admin' },
      body: bodyOf(chatId),
      signal,
    }),
  ).rejects.toMatchObject({ status: 404 })
  expect((await stored()).content).toBe('hi')
})

test('ENABLE_INLINE_OUTLET runs the filters after an answer of the gateway; without it they wait for a script', async () => {
  const off = await start([shout], { isInline: false })
  await runInlineOutlet(off.parts, off.caller, {
    turn: off.turn,
    sent: bodyOf(),
    answered: 'hi',
    signal,
  })
  expect((await off.stored()).content).toBe('hi')
  const on = await start([shout])
  await runInlineOutlet(on.parts, on.caller, {
    turn: on.turn,
    sent: bodyOf(),
    answered: 'hi',
    signal,
  })
  expect(await on.stored()).toMatchObject({ content: 'HI', originalContent: 'hi' })
  expect(on.outletEvents()).toHaveLength(1)
})

test('A text that was edited while the filters ran stays as it was edited', async () => {
  let edit: () => Promise<unknown> = async () => undefined
  const slow: Outlet['run'] = async (body) => {
    await edit()
    return await shout(body, {} as never)
  }
  const { parts, caller, chats, chatId, turn, stored, outletEvents } = await start([slow])
  edit = async () => await chats.saveAnswer(chatId, 'a', { content: 'edited' })
  await runInlineOutlet(parts, caller, { turn, sent: bodyOf(), answered: 'hi', signal })
  expect((await stored()).content).toBe('edited')
  expect(outletEvents()).toEqual([])
})

test('A filter that fails leaves the answer as the model wrote it', async () => {
  const failing: Outlet['run'] = () => {
    throw new Error('broken filter')
  }
  const { parts, caller, turn, stored } = await start([failing])
  await runInlineOutlet(parts, caller, { turn, sent: bodyOf(), answered: 'hi', signal })
  expect((await stored()).content).toBe('hi')
})

test('The answer of a temporary chat is filtered too, and its window alone is notified', async () => {
  const seen: unknown[] = []
  const note: Outlet['run'] = (body) => {
    seen.push(structuredClone(body))
    return body
  }
  const { parts, caller, outletEvents, stored } = await start([note, shout])
  const turn = {
    userId: caller.userId,
    chatId: 'local:window',
    messageId: 'b',
    temporarySession: 'window',
    temporaryTexts: new TemporaryTexts(),
  } as Turn
  const sent = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] }
  await runInlineOutlet(parts, caller, { turn, sent, answered: 'hi', signal })
  expect(seen).toEqual([
    {
      model: 'm',
      chat_id: 'local:window',
      id: 'b',
      messages: [...sent.messages, { id: 'b', role: 'assistant', content: 'hi' }],
    },
  ])
  expect(outletEvents()).toMatchObject([
    {
      session: 'window',
      chat_id: 'local:window',
      message_id: 'b',
      data: { data: { messages: [{ id: 'b', content: 'HI' }] } },
    },
  ])
  expect((await stored()).content).toBe('hi')
})

test.each([
  ['appended texts stay behind the changed text', ['message'], 'HI[sent]'],
  [
    'a changed text takes the place of a replacement, what follows stays',
    ['replace', 'message'],
    'HI[sent]',
  ],
])('Events of a filter that also changes the text: %s', async (_title, types, content) => {
  const speaking: Outlet['run'] = (body, contact) => {
    for (const type of types)
      contact.tell({ type, data: { content: '[sent]' } } as Parameters<typeof contact.tell>[0])
    return shout(body, contact)
  }
  const { parts, caller, turn, stored, outletEvents } = await start([speaking])
  await runInlineOutlet(parts, caller, { turn, sent: bodyOf(), answered: 'hi', signal })
  expect(await stored()).toMatchObject({ content, originalContent: 'hi' })
  expect(outletEvents()).toMatchObject([{ data: { data: { messages: [{ id: 'a', content }] } } }])
})

test('A text that a filter both sends and returns is stored once', async () => {
  const speaking: Outlet['run'] = async (body, contact) => {
    contact.tell({ type: 'message', data: { content: '!' } })
    return await sign(await shout(body, contact), contact)
  }
  const { parts, caller, turn, stored } = await start([speaking])
  await runInlineOutlet(parts, caller, { turn, sent: bodyOf(), answered: 'hi', signal })
  expect((await stored()).content).toBe('HI!')
})

test('A filter that only sends events leaves them in the answer', async () => {
  const speaking: Outlet['run'] = (body, contact) => {
    contact.tell({ type: 'replace', data: { content: 'sent' } })
    return body
  }
  const { parts, caller, turn, stored, outletEvents } = await start([speaking])
  await runInlineOutlet(parts, caller, { turn, sent: bodyOf(), answered: 'hi', signal })
  expect((await stored()).content).toBe('sent')
  expect(outletEvents()).toEqual([])
})
