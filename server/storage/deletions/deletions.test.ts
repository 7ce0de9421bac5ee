import { expect, it } from 'vitest'
import { createTestStorage } from '../../testing/create-test-storage.ts'
import { plans, type Step } from './plans.ts'

const textsOf = (step: Step): readonly string[] => ('rows' in step ? [step.rows] : [...step.parts, step.own])

it('a deleted account leaves no cascade with much to do: every table that refers to an account is emptied before its row goes', () => {
  const { sqlite } = createTestStorage()
  const tables = sqlite.prepare("select name from sqlite_schema where type = 'table' and rootpage > 0").pluck().all() as string[]
  const referring = tables.filter((table) =>
    (sqlite.pragma(`foreign_key_list("${table}")`) as { table: string; on_delete: string }[]).some(
      (reference) => reference.table === 'user' && reference.on_delete === 'CASCADE',
    ),
  )
  const { hide, erase } = plans.account
  const emptied = new Set([...hide, ...erase].flatMap(textsOf).map((text) => /^delete from (\w+)/.exec(text)![1]))
  // These go with the chats they are about.
  expect(referring.filter((table) => !emptied.has(table))).toEqual(['chat_import'])
})

it('every statement finds its rows through an index', () => {
  const { sqlite } = createTestStorage()
  for (const [kind, { hide, erase, finish }] of Object.entries(plans)) {
    const texts = [...hide, ...erase].flatMap((step) => ('rows' in step ? [step.rows] : [step.next, ...step.parts, step.own]))
    for (const text of [...texts, ...finish]) {
      const plan = sqlite.prepare<[object], { detail: string }>(`explain query plan ${text}`).all({ subject: 's', id: 'i', rows: 1 })
      const scans = plan.map(({ detail }) => detail).filter((detail) => /^SCAN (?!json_each)/.test(detail))
      expect(scans, `${kind}: ${text}`).toEqual([])
    }
  }
})
