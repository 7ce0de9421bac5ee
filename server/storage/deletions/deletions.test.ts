import { expect, it } from 'vitest'
import { createTestStorage } from '../../testing/create-test-storage.ts'
import { Eraser } from './eraser.ts'
import { plans, type Rows, type Step } from './plans.ts'

const textsOfRows = (rows: Rows): readonly string[] =>
  typeof rows === 'string' ? [rows] : [rows.pick, rows.remove]

const textsOf = (step: Step): readonly string[] =>
  'rows' in step
    ? textsOfRows(step.rows)
    : [step.next, ...step.parts.flatMap(textsOfRows), step.own]

it('a deleted account leaves no cascade with much to do: every table that refers to an account is emptied before its row goes', () => {
  const { sqlite } = createTestStorage()
  const tables = sqlite
    .prepare("select name from sqlite_schema where type = 'table' and rootpage > 0")
    .pluck()
    .all() as string[]
  const referring = tables.filter((table) =>
    (sqlite.pragma(`foreign_key_list("${table}")`) as { table: string; on_delete: string }[]).some(
      (reference) => reference.table === 'user' && reference.on_delete === 'CASCADE',
    ),
  )
  const { hide, erase } = plans.account
  const emptied = new Set(
    [...hide, ...erase].flatMap(textsOf).map((text) => /^delete from (\w+)/.exec(text)?.[1]),
  )
  // These are deleted with the chats, folders, files and prompts they refer to.
  expect(referring.filter((table) => !emptied.has(table))).toEqual([
    'chat_import',
    'import_folder',
    'import_prompt',
    'import_file',
  ])
})

it('every statement finds its rows through an index', () => {
  const { sqlite } = createTestStorage()
  for (const [kind, { hide, erase, finish }] of Object.entries(plans)) {
    for (const text of [...[...hide, ...erase].flatMap(textsOf), ...finish]) {
      const plan = sqlite
        .prepare<[object], { detail: string }>(`explain query plan ${text}`)
        .all({ subject: 's', id: 'i', keys: '[]' })
      const scans = plan
        .map(({ detail }) => detail)
        .filter((detail) => /^SCAN (?!json_each|summed|\(subquery)/.test(detail))
      expect(scans, `${kind}: ${text}`).toEqual([])
    }
  }
})

it('no statement binds its limit, for which SQLite would prepare it anew with each call', () => {
  const texts = Object.values(plans).flatMap(({ hide, erase }) =>
    [...hide, ...erase].flatMap(textsOf),
  )
  expect(texts.filter((text) => /limit [@?:$]/.test(text))).toEqual([])
  expect(texts.some((text) => /limit \d/.test(text))).toBe(true)
})

it('one statement removes few rows that are long, and many that are short', () => {
  const { sqlite } = createTestStorage()
  const eraser = new Eraser(sqlite)
  const account = sqlite.prepare(
    "insert into user (id, email, name, role, is_first, created_at, updated_at) values (?, ?, 'Ada', 'user', 0, 1, 1)",
  )
  const chat = sqlite.prepare(
    'insert into chat (id, user_id, title, models, params, files, tags, timestamp, extra, history_extra, meta, created_at, updated_at) ' +
      "values (?, ?, 'Title', '[]', '{}', '[]', '[]', 0, '{}', '{}', '{}', 1, 1)",
  )
  const message = sqlite.prepare(
    "insert into message (chat_id, id, role, timestamp, content, extra) values (?, ?, 'user', 1, ?, '{}')",
  )
  const rating = sqlite.prepare(
    "insert into feedback (id, user_id, type, data, meta, snapshot, created_at, updated_at) values (?, ?, 'rating', '{}', '{}', ?, 1, 1)",
  )
  const erasedAtOnce = (owner: string, characters: number): number[] => {
    const text = 'x'.repeat(characters)
    account.run(owner, owner)
    chat.run(owner, owner)
    for (let place = 0; place < 20; place += 1) {
      message.run(owner, `m${place}`, text)
      rating.run(`${owner} ${place}`, owner, text)
    }
    const deletion = { id: 1, kind: 'account', subject: owner } as const
    return [eraser.hide(deletion, 0).erased, eraser.erase(deletion, 0).erased]
  }
  expect(erasedAtOnce('short', 10)).toEqual([20, 20])
  // The second row starts below the limit.
  expect(erasedAtOnce('long', 1_500_000)).toEqual([2, 2])
  expect(erasedAtOnce('longest', 3_000_000)).toEqual([1, 1])
})
