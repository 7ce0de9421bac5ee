import { mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { Chat } from '#contract/chats.ts'
import type { File } from '#contract/files.ts'
import { useOtherPrograms } from '../../../testing/use-other-programs.ts'

const { server, call, home, open, run, undo, chats, write } = useOtherPrograms()

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const LEFT = '1 attachments are left out; their names stand in the messages.'

interface Attachment {
  readonly name?: string
  readonly mime?: string
  readonly contentString?: unknown
}

/** Writes a database of AnythingLLM in which each question has the given attachments. */
function writeAnythingLlm(questions: readonly (readonly Attachment[])[]): void {
  const file = home('.config/anythingllm-desktop/storage/anythingllm.db')
  mkdirSync(path.dirname(file), { recursive: true })
  const sqlite = new Sqlite(file)
  sqlite.exec(
    'create table workspaces (id integer primary key, name text, slug text);' +
      'create table workspace_chats (id integer primary key, workspaceId integer, prompt text, response text, include boolean, thread_id integer, createdAt datetime);' +
      "insert into workspaces values (1, 'Research', 'research')",
  )
  const insert = sqlite.prepare(
    "insert into workspace_chats values (null, 1, 'Look', ?, 1, null, ?)",
  )
  for (const [index, attachments] of questions.entries())
    insert.run(JSON.stringify({ text: 'Seen.', attachments }), 1_700_000_000_000 + index)
  sqlite.close()
}

const files = async (): Promise<File[]> =>
  (await call<{ items: File[] }>('GET', '/files/')).body.items

interface Question {
  readonly role: string
  readonly content: string
  readonly files?: readonly Readonly<Record<string, unknown>>[]
}
const questionsOf = (chat: Chat): Question[] =>
  Object.values(
    (chat.chat as { history: { messages: Record<string, Question> } }).history.messages,
  ).filter(({ role }) => role === 'user')

describe('pictures inside of the messages of AnythingLLM', () => {
  it('are counted in the preview and stored once, also when they are read again', async () => {
    const picture = { name: 'sky.png', mime: 'image/png', contentString: PIXEL }
    writeAnythingLlm([[picture], [picture]])
    const preview = await open('anythingllm')
    expect(preview).toMatchObject({ file_count: 1, file_bytes: 70, problems: [] })
    expect(await run(preview.import_id)).toMatchObject({ created: 1, failed: 0 })
    const [stored, ...others] = await files()
    expect(others).toEqual([])
    expect(stored).toMatchObject({ filename: 'sky.png', meta: { size: 70 } })
    const [chat] = await chats()
    for (const question of questionsOf(chat!))
      expect(question).toMatchObject({
        content: 'Look',
        files: [{ type: 'image', name: 'sky.png' }],
      })
    const again = await open('anythingllm')
    expect(await run(again.import_id)).toMatchObject({ created: 0, unchanged: 1 })
    expect(await files()).toHaveLength(1)
    expect((await undo(preview.import_id)).body).toMatchObject({ moved: 1 })
    expect(await chats()).toEqual([])
  })

  it.each([
    ['a path of this computer', '/etc/passwd'],
    ['a URL of a file', 'file:///etc/passwd'],
    ['a URL of another server', 'https://example.org/sky.png'],
    ['text that is no base64', 'data:image/png;base64,<script>'],
    ['text that was cut', PIXEL.slice(0, -3)],
    ['nothing', ''],
    ['no text', { path: '/etc/passwd' }],
  ])('are left out, with their names, if they are %s', async (_, contentString) => {
    writeAnythingLlm([[{ name: 'sky.png', contentString }]])
    const preview = await open('anythingllm')
    expect(preview).toMatchObject({ file_count: 0, problems: [LEFT] })
    await run(preview.import_id)
    const [chat] = await chats()
    expect(questionsOf(chat!)[0]!.content).toBe('Look\n\n*[File: sky.png]*')
    expect(await files()).toEqual([])
  })

  it('are deleted with an import that is never run', async () => {
    writeAnythingLlm([[{ name: 'sky.png', contentString: PIXEL }]])
    const { import_id: id } = await open('anythingllm')
    const held = () => readdirSync(path.join(server().dataDir, 'imports'))
    expect(held().filter((name) => name.endsWith('-files'))).toHaveLength(1)
    await call('DELETE', `/chats/imports/${id}`)
    expect(held().filter((name) => name.endsWith('-files'))).toEqual([])
  })

  it('keep the last part of a name that is a path', async () => {
    writeAnythingLlm([[{ name: '..\\../../etc/cron.d/sky.png', contentString: PIXEL }]])
    await run((await open('anythingllm')).import_id)
    expect((await files()).map(({ filename }) => filename)).toEqual(['sky.png'])
  })
})

describe('pictures inside of the messages of Jan', () => {
  it('are stored with the chats, and those elsewhere are named', async () => {
    const folder = '.local/share/Jan/data/threads/t1'
    write(`${folder}/thread.json`, { id: 't1', title: 'Sky' })
    const content = [
      { type: 'text', text: { value: 'Look' } },
      { type: 'image_url', image_url: { url: PIXEL } },
      { type: 'image_url', image_url: { url: '/etc/passwd' } },
    ]
    write(
      `${folder}/messages.jsonl`,
      `${JSON.stringify({ id: 'a', role: 'user', content, created_at: 1_700_000_000 })}\n`,
    )
    const preview = await open('jan')
    expect(preview).toMatchObject({ file_count: 1, problems: [LEFT] })
    await run(preview.import_id)
    const [chat] = await chats()
    expect(questionsOf(chat!)[0]).toMatchObject({
      content: 'Look\n\n*[Picture]*',
      files: [{ type: 'image', name: 'image.png' }],
    })
    expect((await files()).map(({ filename }) => filename)).toEqual(['image.png'])
  })
})
