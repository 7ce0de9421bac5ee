import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { Import, ImportResult, ImportRun } from '#contract/imports.ts'
import type { Prompt } from '#contract/prompts.ts'
import { useOtherPrograms } from '../../../testing/use-other-programs.ts'

const { server, member, home, call, open, run, undo, chats, write } = useOtherPrograms()

const WEBUI = '.open-webui/webui.db'
const OLD_TABLE =
  'create table prompt (command text primary key, user_id text, title text, content text, timestamp bigint)'
const NEW_TABLE =
  'create table prompt (id text primary key, command text, user_id text, name text, content text, data json, meta json, tags json, is_active boolean, version_id text, created_at bigint, updated_at bigint)'

/** Runs statements on a database that has the tables of Open WebUI. */
function writeWebUi(...statements: string[]): void {
  const file = home(WEBUI)
  mkdirSync(path.dirname(file), { recursive: true })
  const sqlite = new Sqlite(file)
  sqlite.exec(
    'create table if not exists user (id text primary key, email text);' +
      'create table if not exists chat (id text primary key, user_id text, title text, chat json, created_at bigint, updated_at bigint);' +
      `insert or ignore into chat values ('c1', 'u1', 'Sky', '{"title":"Sky","history":{"currentId":null,"messages":{}}}', 1, 1)`,
  )
  for (const statement of statements) sqlite.exec(statement)
  sqlite.close()
}
const addPrompt = (command: string, content: string, user = 'u1'): string =>
  `insert into prompt values ('${command}', '${user}', 'Title of ${command}', '${content}', 1)`

const prompts = async (): Promise<Prompt[]> => (await call<Prompt[]>('GET', '/prompts/')).body
const byCommand = (found: readonly Prompt[]): (readonly [string, string])[] =>
  found
    .map(({ command, content }) => [command, content] as const)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
const runAll = (id: string): Promise<ImportResult> => run(id, { all: true, prompts: true })
const DONE = { created: 0, updated: 0, unchanged: 0, failed: 0 }

describe('prompts of Open WebUI', () => {
  it('are listed in the preview, and imported twice without doubles', async () => {
    writeWebUi(OLD_TABLE, addPrompt('/sum', 'Sum up {{text}}'), addPrompt('/other', 'No', 'u2'))
    const preview = await open('open-webui')
    expect(preview.prompts).toEqual([
      { key: '/sum', name: 'Title of /sum', command: 'sum', state: 'new' },
    ])
    expect(preview.problems).toEqual([])
    expect((await runAll(preview.import_id)).prompts).toEqual({ ...DONE, created: 1 })
    expect(await prompts()).toMatchObject([
      { command: 'sum', name: 'Title of /sum', content: 'Sum up {{text}}', is_active: true },
    ])
    const again = await open('open-webui')
    expect(again.prompts).toMatchObject([{ state: 'known' }])
    expect((await runAll(again.import_id)).prompts).toEqual({ ...DONE, unchanged: 1 })
    expect(await prompts()).toHaveLength(1)
  })

  it('stay out unless they are asked for, and come alone if nothing else is', async () => {
    writeWebUi(OLD_TABLE, addPrompt('/sum', 'Sum up'))
    const { import_id: id } = await open('open-webui')
    expect(await run(id)).toMatchObject({ created: 1, prompts: DONE })
    expect(await prompts()).toEqual([])
    expect(await run(id, { keys: [], prompts: true })).toMatchObject({
      created: 0,
      prompts: { created: 1 },
    })
    expect((await call('POST', `/chats/imports/${id}/run`, { body: { keys: [] } })).status).toBe(
      400,
    )
  })

  it('are read from newer versions, with their tags', async () => {
    writeWebUi(
      NEW_TABLE,
      `insert into prompt values ('p1', 'sum', 'u1', 'Sum', 'Sum up', '{}', '{}', '["writing","writing"]', 1, 'v', 1, 1)`,
      `insert into prompt values ('p2', 'torn', 'u1', 'Torn', 'Text', '{}', '{}', '["wri', 1, 'v', 1, 1)`,
    )
    const preview = await open('open-webui')
    expect(preview.problems).toEqual(['The prompt "Torn" cannot be read and is left out.'])
    await runAll(preview.import_id)
    expect(await prompts()).toMatchObject([{ command: 'sum', name: 'Sum', tags: ['writing'] }])
  })

  it('take another command where theirs is taken or none', async () => {
    const body = { command: '/sum', name: 'Mine', content: 'Mine' }
    await call('POST', '/prompts/create', { body })
    writeWebUi(OLD_TABLE, addPrompt('/sum', 'Theirs'), addPrompt('/two words?', 'Words'))
    await runAll((await open('open-webui')).import_id)
    const found = await prompts()
    expect(byCommand(found)).toEqual([
      ['/sum', 'Mine'],
      ['sum-2', 'Theirs'],
      ['two-words', 'Words'],
    ])
  })

  it('get a new text from there unless they were changed here', async () => {
    writeWebUi(OLD_TABLE, addPrompt('/one', 'Old'), addPrompt('/two', 'Old'))
    await runAll((await open('open-webui')).import_id)
    const two = (await prompts()).find(({ command }) => command === 'two')!
    await call('POST', `/prompts/id/${two.id}/update`, { body: { content: 'Changed here' } })
    writeWebUi("update prompt set content = 'New'")
    const preview = await open('open-webui')
    expect(preview.prompts).toMatchObject([
      { command: 'one', state: 'changed' },
      { command: 'two', state: 'known' },
    ])
    expect((await runAll(preview.import_id)).prompts).toEqual({
      ...DONE,
      updated: 1,
      unchanged: 1,
    })
    const found = await prompts()
    expect(byCommand(found)).toEqual([
      ['one', 'New'],
      ['two', 'Changed here'],
    ])
  })

  it('are taken back unless they were changed since', async () => {
    writeWebUi(OLD_TABLE, addPrompt('/one', 'One'), addPrompt('/two', 'Two'))
    const { import_id: id } = await open('open-webui')
    await runAll(id)
    const listed = (await call<ImportRun[]>('GET', '/chats/imports')).body
    expect(listed).toMatchObject([{ import_id: id, chats: 1, prompts: 2 }])
    const two = (await prompts()).find(({ command }) => command === 'two')!
    await call('POST', `/prompts/id/${two.id}/update/meta`, { body: { name: 'Mine now' } })
    expect((await undo(id)).body).toEqual({
      moved: 1,
      changed: 0,
      folders: 0,
      prompts: 1,
      prompts_changed: 1,
    })
    expect((await prompts()).map(({ name }) => name)).toEqual(['Mine now'])
  })

  it('come again after they were deleted here', async () => {
    writeWebUi(OLD_TABLE, addPrompt('/one', 'One'))
    await runAll((await open('open-webui')).import_id)
    const [one] = await prompts()
    await call('DELETE', `/prompts/id/${one!.id}/delete`)
    const preview = await open('open-webui')
    expect(preview.prompts).toMatchObject([{ state: 'new' }])
    expect((await runAll(preview.import_id)).prompts).toEqual({ ...DONE, created: 1 })
  })

  it('are left out if they are too long, with a sentence', async () => {
    writeWebUi(OLD_TABLE, addPrompt('/long', 'x'.repeat(500_001)), addPrompt('/empty', ' '))
    const preview = await open('open-webui')
    expect(preview.prompts).toEqual([])
    expect(preview.problems).toEqual(['The prompt "Title of /long" is too long and is left out.'])
  })

  it('take the permission to import prompts', async () => {
    writeWebUi(OLD_TABLE, addPrompt('/sum', 'Sum up'))
    const reply = await fetch(`${server().url}/api/v1/chats/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${member()}`, 'content-type': 'application/octet-stream' },
      body: readFileSync(home(WEBUI)),
    })
    const { import_id: id } = (await reply.json()) as Import
    const target = `/chats/imports/${id}/run`
    const refused = await call('POST', target, {
      token: member(),
      body: { all: true, prompts: true },
    })
    expect(refused).toMatchObject({
      status: 403,
      body: { detail: 'You do not have permission to import prompts. Ask an administrator.' },
    })
    expect((await call('POST', target, { token: member(), body: { all: true } })).status).toBe(200)
    expect(await prompts()).toEqual([])
  })
})

describe('instructions of other programs', () => {
  it('of LM Studio are the system prompts of its presets', async () => {
    write('.lmstudio/conversations/notes.txt', '')
    const preset = (name: string, fields: unknown[]) => ({
      identifier: `@local:${name}`,
      name,
      operation: { fields },
      load: { fields: [] },
    })
    const system = { key: 'llm.prediction.systemPrompt', value: 'Be brief.' }
    const heat = { key: 'llm.prediction.temperature', value: 0.2 }
    const folder = '.lmstudio/config-presets'
    write(`${folder}/brief.preset.json`, preset('Short answers', [heat, system]))
    write(`${folder}/warm.preset.json`, preset('Warm', [heat]))
    write(`${folder}/torn.preset.json`, '{"name":"To')
    const preview = await open('lm-studio')
    expect(preview.problems).toEqual(['"torn.preset.json" cannot be read and is left out.'])
    expect(preview.prompts).toMatchObject([{ name: 'Short answers', command: 'Short-answers' }])
    await runAll(preview.import_id)
    expect(await prompts()).toMatchObject([{ name: 'Short answers', content: 'Be brief.' }])
  })

  it('of Jan are those of its assistants', async () => {
    const folder = '.local/share/Jan/data'
    mkdirSync(home(folder, 'threads'), { recursive: true })
    write(`${folder}/assistants/tutor/assistant.json`, {
      id: 'tutor',
      name: 'Tutor',
      instructions: 'Explain step by step.',
    })
    const { import_id: id } = await open('jan')
    expect((await runAll(id)).prompts).toEqual({ ...DONE, created: 1 })
    expect(await prompts()).toMatchObject([
      { command: 'Tutor', name: 'Tutor', content: 'Explain step by step.' },
    ])
    expect(await chats()).toEqual([])
  })

  it('of AnythingLLM are those of its workspaces and its commands', async () => {
    const file = home('.config/anythingllm-desktop/storage/anythingllm.db')
    mkdirSync(path.dirname(file), { recursive: true })
    const sqlite = new Sqlite(file)
    sqlite.exec(
      'create table workspaces (id integer primary key, name text, slug text, openAiPrompt text);' +
        'create table workspace_chats (id integer primary key, workspaceId integer, prompt text, response text, include boolean, thread_id integer, createdAt datetime);' +
        'create table slash_command_presets (id integer primary key, command text, prompt text, description text, uid integer, userId integer);' +
        "insert into workspaces values (1, 'Research', 'research', 'Cite sources.'), (2, 'Plain', 'plain', null);" +
        "insert into slash_command_presets values (1, '/fix', 'Fix the grammar.', 'Fixes grammar', 0, null)",
    )
    sqlite.close()
    await runAll((await open('anythingllm')).import_id)
    const found = await prompts()
    expect(byCommand(found)).toEqual([
      ['fix', 'Fix the grammar.'],
      ['research', 'Cite sources.'],
    ])
  })
})
