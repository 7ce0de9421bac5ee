import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { messagesOf, useOtherPrograms } from '../../../testing/use-other-programs.ts'

const { home, call, open, run, chats, write } = useOtherPrograms()

describe('moving in from LM Studio', () => {
  const version = (role: string, text: string) => ({
    type: 'singleStep',
    role,
    content: [{ type: 'text', text }],
  })
  const answer = (text: string, thought = '') => ({
    type: 'multiStep',
    role: 'assistant',
    steps: [
      ...(thought === ''
        ? []
        : [
            {
              type: 'contentBlock',
              style: { type: 'thinking' },
              content: [{ type: 'text', text: thought }],
            },
          ]),
      {
        type: 'contentBlock',
        content: [{ type: 'text', text }],
        genInfo: { identifier: 'small-model' },
      },
      { type: 'debugInfoBlock', debugInfo: 'none' },
    ],
  })
  const conversation = {
    name: 'Trip',
    pinned: true,
    createdAt: 1_700_000_000_500,
    messages: [
      { versions: [version('user', 'Where to?')], currentlySelected: 0 },
      { versions: [answer('North.'), answer('South.', 'Hm')], currentlySelected: 1 },
      { versions: [version('user', 'Why?')], currentlySelected: 0 },
    ],
  }
  const FOLDER = '.lmstudio/conversations'

  it('brings versions as branches, thinking, models and folders', async () => {
    write(`${FOLDER}/Plans/Summer/1.conversation.json`, conversation)
    const { import_id: id } = await open('lm-studio')
    expect(await run(id)).toMatchObject({ created: 1 })
    const [chat] = await chats()
    expect(chat).toMatchObject({ title: 'Trip', pinned: true, created_at: 1_700_000_000 })
    const messages = Object.values(messagesOf(chat!))
    expect(messages.map(({ content }) => content)).toEqual([
      'Where to?',
      'North.',
      'South.',
      'Why?',
    ])
    expect(messages[0]!.childrenIds).toHaveLength(2)
    expect(messages[2]).toMatchObject({ reasoning_content: 'Hm', model: 'small-model' })
    expect(messages[3]!.parentId).toBe(messages[0]!.childrenIds[1])
    const folders = (await call<{ name: string }[]>('GET', '/folders/')).body
    expect(folders.map(({ name }) => name)).toEqual(expect.arrayContaining(['Plans', 'Summer']))
  })

  it('leaves out what is truncated, a link out of the folder, or too large', async () => {
    write(`${FOLDER}/1.conversation.json`, conversation)
    write(`${FOLDER}/2.conversation.json`, JSON.stringify(conversation).slice(0, 90))
    write(`${FOLDER}/3.conversation.json`, ' '.repeat(65 * 1024 * 1024))
    symlinkSync(
      write('secret.json', { ...conversation, name: 'Secret' }),
      home(FOLDER, '4.conversation.json'),
    )
    symlinkSync('/', home(FOLDER, 'root'))
    const preview = await open('lm-studio')
    expect(preview.chats.map(({ title }) => title)).toEqual(['Trip'])
    expect(preview.problems.toSorted()).toEqual([
      '"2.conversation.json" cannot be read and is left out.',
      '"3.conversation.json" is too large and is left out.',
    ])
  })
})

describe('moving in from Jan', () => {
  const line = (id: string, role: string, value: string, created_at: number) =>
    JSON.stringify({
      id,
      object: 'thread.message',
      thread_id: 't1',
      role,
      content: [{ type: 'text', text: { value, annotations: [] } }],
      status: 'ready',
      created_at,
    })

  it('brings threads, and tells of lines that broke off', async () => {
    const folder = '.local/share/Jan/data/threads/t1'
    write(`${folder}/thread.json`, {
      id: 't1',
      title: 'Sky',
      created: 1_700_000_000,
      updated: 1_700_000_050,
      assistants: [{ id: 'jan', model: { id: 'small-model' } }],
    })
    write(
      `${folder}/messages.jsonl`,
      `${line('b', 'assistant', 'Scattering.', 1_700_000_002_000)}\n${line('a', 'user', 'Why blue?', 1_700_000_001_000)}\n{"id":"c","ro`,
    )
    const preview = await open('jan')
    expect(preview.problems).toEqual(['1 messages of "t1" are broken and are left out.'])
    await run(preview.import_id)
    const [chat] = await chats()
    expect(chat).toMatchObject({ title: 'Sky', updated_at: 1_700_000_050 })
    expect(Object.values(messagesOf(chat!)).map(({ content }) => content)).toEqual([
      'Why blue?',
      'Scattering.',
    ])
    expect(messagesOf(chat!)['b']).toMatchObject({ model: 'small-model', parentId: 'a' })
  })
})

describe('moving in from AnythingLLM', () => {
  function writeStore(users: number): void {
    const file = home('.config/anythingllm-desktop/storage/anythingllm.db')
    mkdirSync(path.dirname(file), { recursive: true })
    const sqlite = new Sqlite(file)
    sqlite.exec(
      'create table users (id integer primary key);' +
        'create table workspaces (id integer primary key, name text, slug text, chatModel text);' +
        'create table workspace_threads (id integer primary key, name text, slug text, workspace_id integer, user_id integer);' +
        'create table workspace_documents (id integer primary key);' +
        'create table workspace_chats (id integer primary key, workspaceId integer, prompt text, response text, include boolean, user_id integer, thread_id integer, createdAt datetime);' +
        "insert into workspaces values (1, 'Research', 'research', 'small-model');" +
        "insert into workspace_threads values (7, 'Sky', 'sky', 1, null); insert into workspace_documents values (1)",
    )
    for (let id = 1; id <= users; id += 1) sqlite.prepare('insert into users values (?)').run(id)
    const insert = sqlite.prepare(
      'insert into workspace_chats values (null, 1, ?, ?, ?, null, ?, ?)',
    )
    insert.run(
      'Why blue?',
      JSON.stringify({ text: 'Scattering.', sources: [] }),
      1,
      7,
      1_700_000_000_000,
    )
    insert.run('And red?', JSON.stringify({ text: 'Dust.' }), 1, 7, 1_700_000_001_000)
    insert.run('Hidden', JSON.stringify({ text: 'No.' }), 0, 7, 1_700_000_002_000)
    insert.run('Alone', '{"text":"To', 1, null, 1_700_000_003_000)
    sqlite.close()
  }

  it('brings threads in a folder of their workspace', async () => {
    writeStore(1)
    const preview = await open('anythingllm')
    expect(preview.chats).toMatchObject([{ key: 'research/sky', title: 'Sky', message_count: 4 }])
    expect(preview.problems).toEqual([
      'A message of "Research" cannot be read and is left out.',
      '1 documents are not carried over: add them again under Workspace → Knowledge.',
    ])
    await run(preview.import_id)
    const [chat] = await chats()
    expect(Object.values(messagesOf(chat!)).map(({ content }) => content)).toEqual([
      'Why blue?',
      'Scattering.',
      'And red?',
      'Dust.',
    ])
  })

  it('mixes up no accounts', async () => {
    writeStore(2)
    expect((await open('anythingllm')).detail).toContain('several accounts')
  })
})

describe('an export of LibreChat', () => {
  it('brings branches, in whatever order its messages stand', async () => {
    const said = (
      [messageId, parentMessageId]: readonly [string, string],
      isCreatedByUser: boolean,
      text: string,
      second: number,
    ) => ({
      messageId,
      parentMessageId,
      isCreatedByUser,
      text,
      model: isCreatedByUser ? null : 'cloud',
      createdAt: `2024-05-28T18:08:0${second}.000Z`,
    })
    const messages = [
      said(['a', 'q'], false, 'One.', 2),
      said(['q', '00000000-0000-0000-0000-000000000000'], true, 'Tell me', 1),
      said(['b', 'q'], false, 'Two.', 3),
    ]
    const reply = await call<Import>('POST', '/chats/imports', {
      body: {
        conversationId: 'k1',
        endpoint: 'x',
        title: 'Story',
        branches: true,
        recursive: false,
        messages,
      },
    })
    expect(reply.body).toMatchObject({
      source: 'librechat',
      chats: [{ key: 'k1', message_count: 3, branch_count: 2 }],
    })
  })
})
