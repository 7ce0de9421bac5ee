import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { Chat } from '#contract/chats.ts'
import type { File } from '#contract/files.ts'
import type { Import, ImportResult } from '#contract/imports.ts'
import { useOtherPrograms } from '../../../testing/use-other-programs.ts'

const { server, member, home, call, open, run, chats, write } = useOtherPrograms()

const WEBUI = '.open-webui/webui.db'

type Attachment = Readonly<Record<string, unknown>>

/** Runs work on a database that has the tables of Open WebUI. */
function openWebUi(work: (sqlite: Sqlite.Database) => void): void {
  const file = home(WEBUI)
  mkdirSync(path.dirname(file), { recursive: true })
  const sqlite = new Sqlite(file)
  sqlite.exec(
    'create table if not exists user (id text primary key, email text);' +
      'create table if not exists file (id text primary key, user_id text, filename text, path text);' +
      'create table if not exists chat (id text primary key, user_id text, title text, chat json, created_at bigint, updated_at bigint)',
  )
  work(sqlite)
  sqlite.close()
}

const addChat = (sqlite: Sqlite.Database, id: string, ...attachments: Attachment[][]): void => {
  const messages = Object.fromEntries(
    attachments.map((files, index) => [
      `${id}-${index}`,
      {
        id: `${id}-${index}`,
        parentId: index === 0 ? null : `${id}-${index - 1}`,
        childrenIds: index + 1 < attachments.length ? [`${id}-${index + 1}`] : [],
        role: 'user',
        content: 'Read',
        files,
      },
    ]),
  )
  const chat = { title: id, history: { currentId: `${id}-${attachments.length - 1}`, messages } }
  sqlite
    .prepare("insert or replace into chat values (?, 'u1', ?, ?, 1, 1)")
    .run(id, id, JSON.stringify(chat))
}
const addFile = (sqlite: Sqlite.Database, id: string, filename: string): void =>
  void sqlite
    .prepare("insert or replace into file values (?, 'u1', ?, ?)")
    .run(id, filename, `/app/backend/data/uploads/${id}_${filename}`)
const writeUpload = (id: string, filename: string, text: string): string =>
  write(`.open-webui/uploads/${id}_${filename}`, text)

const files = async (token?: string): Promise<File[]> =>
  (await call<{ items: File[] }>('GET', '/files/', token === undefined ? {} : { token })).body.items

interface StoredMessage {
  readonly content: string
  readonly files?: readonly Attachment[]
}
const messageOf = (chat: Chat, id: string): StoredMessage =>
  (chat.chat as { history: { messages: Record<string, StoredMessage> } }).history.messages[id]!
const chatNamed = async (title: string): Promise<Chat> =>
  (await chats()).find((chat) => chat.title === title)!

describe('files of LM Studio', () => {
  const conversation = (...identifiers: string[]) => ({
    name: 'Sky',
    createdAt: 1_700_000_000_000,
    messages: [
      {
        versions: [
          {
            type: 'singleStep',
            role: 'user',
            content: [
              { type: 'text', text: 'Read' },
              ...identifiers.map((fileIdentifier) => ({ type: 'file', fileIdentifier })),
            ],
          },
        ],
        currentlySelected: 0,
      },
    ],
  })

  it('are stored with the chats under the names they had, once', async () => {
    write('.lmstudio/conversations/1.conversation.json', conversation('17 - 3.txt'))
    write('.lmstudio/user-files/17 - 3.txt', 'The plan')
    write('.lmstudio/user-files/17 - 3.txt.metadata.json', { originalName: 'plan.txt' })
    const preview = await open('lm-studio')
    expect(preview).toMatchObject({ file_count: 1, file_bytes: 8, problems: [] })
    await run(preview.import_id)
    const [stored, ...others] = await files()
    expect(others).toEqual([])
    expect(stored).toMatchObject({ filename: 'plan.txt' })
    expect(messageOf(await chatNamed('Sky'), '0-0')).toMatchObject({
      content: 'Read',
      files: [{ type: 'file', id: stored!.id, name: 'plan.txt' }],
    })
    expect(await run((await open('lm-studio')).import_id)).toMatchObject({ unchanged: 1 })
    expect(await files()).toHaveLength(1)
  })

  it('that are gone, links, or outside of the folder stand in the messages by name', async () => {
    const secret = write('secret.txt', 'Secret')
    const names = ['gone.txt', 'link.txt', '../secret.txt', secret, '..']
    write('.lmstudio/conversations/1.conversation.json', conversation(...names))
    write('.lmstudio/user-files/other.txt', 'x')
    symlinkSync(secret, home('.lmstudio/user-files/link.txt'))
    const preview = await open('lm-studio')
    expect(preview).toMatchObject({
      file_count: 0,
      problems: ['5 attachments are left out; their names stand in the messages.'],
    })
    await run(preview.import_id)
    const shown = names.map((name) => `*[File: ${name}]*`)
    expect(messageOf(await chatNamed('Sky'), '0-0').content).toBe(['Read', ...shown].join('\n\n'))
    expect(await files()).toEqual([])
  })

  it('are not looked for in a folder that is a link', async () => {
    write('.lmstudio/conversations/1.conversation.json', conversation('secret.txt'))
    symlinkSync(path.dirname(write('elsewhere/secret.txt', 'Secret')), home('.lmstudio/user-files'))
    expect(await open('lm-studio')).toMatchObject({ file_count: 0 })
  })
})

describe('uploads of Open WebUI', () => {
  it('are counted in the preview, and stored with the chats they belong to, each once', async () => {
    openWebUi((sqlite) => {
      addFile(sqlite, 'f1', 'plan.txt')
      addFile(sqlite, 'f2', 'unused.txt')
      addChat(sqlite, 'one', [{ type: 'file', id: 'f1', name: 'plan.txt', file: { id: 'f1' } }])
      addChat(sqlite, 'two', [{ type: 'file', file: { id: 'f1', filename: 'plan.txt' } }])
    })
    const upload = writeUpload('f1', 'plan.txt', 'The plan')
    const preview = await open('open-webui')
    expect(preview).toMatchObject({ file_count: 1, file_bytes: 8 })
    expect(preview.problems).toEqual([
      '1 uploaded files are not carried over: add them again where you need them.',
    ])
    expect(await run(preview.import_id)).toMatchObject({ created: 2, failed: 0 })
    const [stored, ...others] = await files()
    expect(others).toEqual([])
    expect(stored).toMatchObject({ filename: 'plan.txt', meta: { size: 8 } })
    for (const title of ['one', 'two'])
      expect(messageOf(await chatNamed(title), `${title}-0`)).toMatchObject({
        content: 'Read',
        files: [{ type: 'file', id: stored!.id, name: 'plan.txt' }],
      })
    expect(readFileSync(upload, 'utf8')).toBe('The plan')
    const again = await open('open-webui')
    expect(await run(again.import_id)).toMatchObject({ created: 0, unchanged: 2 })
    expect(await files()).toHaveLength(1)
  })

  it('of new messages refer to the file that is already there', async () => {
    const attached = [{ type: 'file', id: 'f1', name: 'plan.txt' }]
    openWebUi((sqlite) => {
      addFile(sqlite, 'f1', 'plan.txt')
      addChat(sqlite, 'one', attached)
    })
    writeUpload('f1', 'plan.txt', 'The plan')
    await run((await open('open-webui')).import_id)
    openWebUi((sqlite) => addChat(sqlite, 'one', attached, attached))
    expect(await run((await open('open-webui')).import_id)).toMatchObject({ updated: 1 })
    const [stored, ...others] = await files()
    expect(others).toEqual([])
    expect(messageOf(await chatNamed('one'), 'one-1').files).toMatchObject([{ id: stored!.id }])
  })

  it('that are pictures are attached as pictures', async () => {
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    openWebUi((sqlite) => {
      addFile(sqlite, 'f1', 'pixel.png')
      addChat(sqlite, 'one', [{ type: 'image', url: '/api/v1/files/f1/content' }])
    })
    writeUpload('f1', 'pixel.png', '')
    writeFileSync(home('.open-webui/uploads/f1_pixel.png'), Buffer.from(pixel, 'base64'))
    await run((await open('open-webui')).import_id)
    const [attachment] = messageOf(await chatNamed('one'), 'one-0').files!
    expect(attachment).toMatchObject({ type: 'image', name: 'pixel.png' })
  })

  it('that are gone, or links to other files, stand in the messages by name', async () => {
    openWebUi((sqlite) => {
      for (const id of ['f1', 'f2']) addFile(sqlite, id, `${id}.txt`)
      addChat(
        sqlite,
        'one',
        ['f1', 'f2'].map((id) => ({ type: 'file', id, name: `${id}.txt` })),
      )
    })
    writeUpload('other', 'x', '')
    symlinkSync(write('secret.txt', 'Secret'), home('.open-webui/uploads/f1_f1.txt'))
    const preview = await open('open-webui')
    expect(preview.file_count).toBe(0)
    expect(preview.problems).toContain(
      '2 attachments are left out; their names stand in the messages.',
    )
    await run(preview.import_id)
    expect(messageOf(await chatNamed('one'), 'one-0').content).toBe(
      'Read\n\n*[File: f1.txt]*\n\n*[File: f2.txt]*',
    )
    expect(await files()).toEqual([])
  })

  it('that become links or vanish after the preview are left out, with a sentence', async () => {
    openWebUi((sqlite) => {
      addFile(sqlite, 'f1', 'plan.txt')
      addChat(sqlite, 'one', [{ type: 'file', id: 'f1', name: 'plan.txt' }])
    })
    const upload = writeUpload('f1', 'plan.txt', 'The plan')
    const { import_id: id } = await open('open-webui')
    rmSync(upload)
    symlinkSync(write('secret.txt', 'Secret'), upload)
    expect(await run(id)).toMatchObject({ created: 1, failed: 0 })
    const { body } = await call<Import>('GET', `/chats/imports/${id}`)
    expect(body.problems).toContain('The file "plan.txt" cannot be read and is left out.')
    expect(messageOf(await chatNamed('one'), 'one-0').content).toBe('Read\n\n*[File: plan.txt]*')
    expect(await files()).toEqual([])
  })

  it('are not read from this computer for a database that was uploaded', async () => {
    openWebUi((sqlite) => {
      addFile(sqlite, 'f1', 'plan.txt')
      addChat(sqlite, 'one', [{ type: 'file', id: 'f1', name: 'plan.txt' }])
    })
    writeUpload('f1', 'plan.txt', 'The plan')
    const reply = await fetch(`${server().url}/api/v1/chats/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${member()}`, 'content-type': 'application/octet-stream' },
      body: readFileSync(home(WEBUI)),
    })
    const preview = (await reply.json()) as Import
    expect(preview).toMatchObject({ file_count: 0 })
    const target = `/chats/imports/${preview.import_id}/run`
    const done = await call<ImportResult>('POST', target, { token: member(), body: { all: true } })
    expect(done.body).toMatchObject({ created: 1 })
    expect(await files(member())).toEqual([])
  })
})
