import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { FoundProgram, Import, ImportRun } from '#contract/imports.ts'
import { messagesOf, useOtherPrograms } from '../../../testing/use-other-programs.ts'

const { server, member, home, call, search, open, run, undo, chats, write } = useOtherPrograms()

const node = (parentId: string | null, childrenIds: string[], role: string, content: string) => ({
  parentId,
  childrenIds,
  role,
  content,
  timestamp: 1_700_000_000,
})
const TREE = {
  q: { id: 'q', ...node(null, ['a', 'b'], 'user', 'Why is the sky blue?') },
  a: { id: 'a', ...node('q', [], 'assistant', 'Scattering.') },
  b: { id: 'b', ...node('q', [], 'assistant', 'Rayleigh.') },
}
const WEBUI = '.open-webui/webui.db'

interface WebUiChat {
  readonly id: string
  readonly user?: string
  readonly title?: string
  readonly body?: unknown
  readonly folder?: string
}

/**
 * Writes a database as Open WebUI stores it; returns the connection, which stays open as in Open
 * WebUI.
 */
function writeWebUi(listed: readonly WebUiChat[]): Sqlite.Database {
  const file = home(WEBUI)
  mkdirSync(path.dirname(file), { recursive: true })
  const sqlite = new Sqlite(file)
  sqlite.exec(
    'create table user (id text primary key, name text, email text, role text);' +
      'create table chat (id text primary key, user_id text, title text, chat json, created_at bigint, updated_at bigint, share_id text, archived boolean, pinned boolean, meta json, folder_id text);' +
      'create table folder (id text, parent_id text, user_id text, name text, items json, meta json, is_expanded boolean, created_at bigint, updated_at bigint);' +
      'create table prompt (command text primary key, user_id text, title text, content text, timestamp bigint);' +
      'create table file (id text primary key, user_id text, filename text)',
  )
  sqlite
    .prepare('insert into user values (?, ?, ?, ?)')
    .run('u1', 'Ada', 'ada@example.com', 'admin')
  sqlite
    .prepare('insert into folder (id, parent_id, user_id, name) values (?, ?, ?, ?)')
    .run('f1', null, 'u1', 'Trips')
  sqlite
    .prepare('insert into folder (id, parent_id, user_id, name) values (?, ?, ?, ?)')
    .run('f2', 'f1', 'u1', 'North')
  sqlite.prepare('insert into prompt values (?, ?, ?, ?, ?)').run('/hi', 'u1', 'Hi', 'Hello', 1)
  const insert = sqlite.prepare('insert into chat values (?, ?, ?, ?, ?, ?, null, 0, 1, ?, ?)')
  for (const { id, user = 'u1', title = `Chat ${id}`, body, folder = null } of listed) {
    const chat = body ?? { title, history: { currentId: 'b', messages: TREE } }
    const text = typeof chat === 'string' ? chat : JSON.stringify(chat)
    insert.run(id, user, title, text, 1_700_000_000, 1_700_000_100, '{"tags":["sky"]}', folder)
  }
  return sqlite
}

describe('looking for other programs', () => {
  it('finds what lies where they keep it, and nothing else', async () => {
    expect(await search()).toEqual([])
    writeWebUi([]).close()
    write('.lmstudio/conversations/1.conversation.json', {})
    mkdirSync(home('.local/share/Jan/data/threads'), { recursive: true })
    write('.config/anythingllm-desktop/storage/anythingllm.db', '')
    write('Documents/webui.db', '')
    expect((await search()).map(({ source }) => source).toSorted()).toEqual([
      'anythingllm',
      'jan',
      'lm-studio',
      'open-webui',
    ])
  })

  it('is for an administrator at this computer alone', async () => {
    writeWebUi([]).close()
    const [{ id }] = (await search()) as [FoundProgram]
    for (const target of ['/chats/imports/programs', `/chats/imports/programs/${id}`]) {
      expect((await call('POST', target, { token: member() })).status).toBe(401)
      const elsewhere = await call('POST', target, { headers: { 'x-forwarded-for': '10.0.0.9' } })
      expect(elsewhere.status).toBe(403)
      expect(elsewhere.body.detail).toContain('from the computer the gateway runs on')
    }
  })

  it('opens nothing that an id was not given for', async () => {
    const secret = write('secret.db', 'x')
    for (const id of [encodeURIComponent('../../secret.db'), encodeURIComponent(secret), 'none'])
      expect((await call('POST', `/chats/imports/programs/${id}`)).status).toBe(404)
  })

  it('follows no link in the place of a store', async () => {
    const real = write('elsewhere/webui.db', 'x')
    mkdirSync(home('.open-webui'))
    symlinkSync(real, home(WEBUI))
    symlinkSync(home('elsewhere'), home('jan'))
    expect(await search()).toEqual([])
  })
})

describe('moving in from Open WebUI', () => {
  it('brings chats with branches, folders, pins and tags, twice without doubles', async () => {
    writeWebUi([{ id: 'c1', folder: 'f2' }, { id: 'c2' }, { id: 'c3', user: 'u2' }]).close()
    const preview = await open('open-webui')
    expect(preview.chats.map(({ key, message_count: count }) => [key, count])).toEqual([
      ['c1', 3],
      ['c2', 3],
    ])
    expect(preview.problems).toEqual([
      '1 chats of 1 other accounts are left out; these are those of ada@example.com.',
    ])
    expect(await run(preview.import_id)).toMatchObject({ created: 2, failed: 0 })
    const [first] = (await chats()).filter(({ title }) => title === 'Chat c1')
    expect(first).toMatchObject({
      pinned: true,
      meta: { tags: ['sky'] },
      created_at: 1_700_000_000,
    })
    expect(messagesOf(first!)['q']!.childrenIds).toEqual(['a', 'b'])
    const folders = (await call<{ name: string }[]>('GET', '/folders/')).body
    expect(folders.map(({ name }) => name).toSorted()).toEqual(['North', 'Trips'])
    const again = await open('open-webui')
    expect(again.chats.map(({ state }) => state)).toEqual(['known', 'known'])
    expect(await run(again.import_id)).toMatchObject({ created: 0, unchanged: 2 })
    expect(await chats()).toHaveLength(2)
  })

  it('is taken back as far as nothing was changed since', async () => {
    writeWebUi([{ id: 'c1', folder: 'f2' }, { id: 'c2' }]).close()
    const { import_id: id } = await open('open-webui')
    await run(id)
    const listed = (await call<ImportRun[]>('GET', '/chats/imports')).body
    expect(listed).toMatchObject([{ import_id: id, source: 'open-webui', chats: 2 }])
    const changed = (await chats()).find(({ title }) => title === 'Chat c2')!
    await call('POST', `/chats/${changed.id}`, { body: { chat: { title: 'Mine now' } } })
    expect((await undo(id)).body).toMatchObject({ moved: 1, changed: 1, folders: 2 })
    expect((await chats()).map(({ title }) => title)).toEqual(['Mine now'])
    expect((await call('POST', `/chats/imports/${id}/undo`, { token: member() })).status).toBe(404)
  })

  it('reads beside the running program what still stands in its log, and changes nothing there', async () => {
    const running = writeWebUi([{ id: 'c1' }])
    running.pragma('journal_mode = wal')
    running.exec("update chat set title = 'From the log' where id = 'c1'; begin immediate")
    const folder = home('.open-webui')
    const state = () =>
      readdirSync(folder).map((name) => {
        const { mtimeMs, size } = statSync(path.join(folder, name))
        return [name, mtimeMs, size, readFileSync(path.join(folder, name)).toString('base64')]
      })
    const before = state()
    expect(before.map(([name]) => name)).toContain('webui.db-wal')
    const preview = await open('open-webui')
    expect(state()).toEqual(before)
    expect(preview.chats).toMatchObject([{ key: 'c1' }])
    running.exec('commit')
    running.close()
  })

  it('leaves broken chats out, and says which', async () => {
    writeWebUi([{ id: 'c1' }, { id: 'c2', title: 'Torn', body: '{"title":"To' }]).close()
    const preview = await open('open-webui')
    expect(preview.chats).toHaveLength(1)
    expect(preview.problems).toContain('"Torn" cannot be read and is left out.')
  })

  it('names attachments it cannot bring, and keeps titles as text', async () => {
    const title = '<img src=x onerror=alert(1)>'
    const files = [{ type: 'file', id: 'x', name: 'plan.pdf' }]
    const messages = { q: { id: 'q', ...node(null, [], 'user', 'Read'), files } }
    writeWebUi([
      { id: 'c1', title, body: { title, history: { currentId: 'q', messages } } },
    ]).close()
    const preview = await open('open-webui')
    expect(preview.problems[0]).toBe(
      '1 attachments are left out; their names stand in the messages.',
    )
    await run(preview.import_id)
    const [chat] = await chats()
    expect(chat!.title).toBe(title)
    expect(messagesOf(chat!)['q']!.content).toBe('Read\n\n*[File: plan.pdf]*')
  })

  it.each([
    [
      'of a schema that is not known',
      (file: string) =>
        new Sqlite(file).exec('create table chat (chat text); create table user (id text)').close(),
      'in a way that is not known',
    ],
    [
      'of another program',
      (file: string) => new Sqlite(file).exec('create table other (id text)').close(),
      'not a database of Open WebUI',
    ],
    [
      'that is damaged',
      (file: string) => writeFileSync(file, `SQLite format 3\u0000${'x'.repeat(5000)}`),
      'damaged',
    ],
  ])('refuses a database %s with a sentence', async (_, make, sentence) => {
    mkdirSync(home('.open-webui'))
    make(home(WEBUI))
    const { detail } = await open('open-webui')
    expect(detail).toContain(sentence)
  })

  it('takes the database as an upload as well', async () => {
    writeWebUi([{ id: 'c1' }]).close()
    const reply = await fetch(`${server().url}/api/v1/chats/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${member()}`, 'content-type': 'application/octet-stream' },
      body: readFileSync(home(WEBUI)),
    })
    expect((await reply.json()) as Import).toMatchObject({
      source: 'open-webui',
      chats: [{ key: 'c1' }],
    })
  })

  it('brings 20,000 messages while others are served', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => {
        const [parent, child] = [index === 0 ? null : `m${index - 1}`, `m${index + 1}`]
        const role = index % 2 === 0 ? 'user' : 'assistant'
        const children = index === 19_999 ? [] : [child]
        return [`m${index}`, { id: `m${index}`, ...node(parent, children, role, `Text ${index}`) }]
      }),
    )
    writeWebUi([
      { id: 'c1', body: { title: 'Long', history: { currentId: 'm19999', messages: many } } },
    ]).close()
    const { import_id: id } = await open('open-webui')
    expect(await run(id)).toMatchObject({ created: 1, failed: 0 })
    expect((await undo(id)).body.moved).toBe(1)
  }, 120_000)
})
