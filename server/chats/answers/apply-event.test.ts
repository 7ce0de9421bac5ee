import { expect, it } from 'vitest'
import { STORED_BY_EVENTS } from '#contract/event-effects.ts'
import type { EventData, OwnEvent } from '#contract/events.ts'
import type { MessageRow } from '../chat-rows.ts'
import { applyEvent } from './apply-event.ts'
import { RUN_FIELDS } from './open-answer.ts'

/** Data of each event with code of its own, once for each field it may be stored in. */
const OWN: Readonly<Record<OwnEvent['type'], readonly unknown[]>> = {
  message: [{ content: 'More' }],
  replace: [{ content: 'Other' }],
  source: [{ source: { name: 'Page' } }, { type: 'code_execution', id: 'run' }],
  citation: [{ source: { name: 'Page' } }],
  'chat:message:delta': [{ content: 'More', offset: 0 }],
  'chat:reasoning:delta': [{ content: 'More', offset: 0 }],
  'chat:completion': [{ done: true, content: 'All' }],
  'chat:message': [{ content: 'Other' }],
  'chat:message:error': [{ error: 'No.' }],
  'chat:message:favorite': [{ favorite: true }],
}

const row = { content: '', extra: '{}' } as MessageRow
const bounds = { characters: 10_000, record: { characters: 10_000, values: 100 } }

it('whatever an event stores with an answer is dropped when the answer is written anew', () => {
  const stored = Object.entries(OWN).flatMap(([type, samples]) =>
    samples.flatMap((data) => {
      const applied = applyEvent(row, { type, data } as EventData, bounds)
      return Object.keys(JSON.parse(applied?.row.extra ?? '{}') as object)
    }),
  )
  expect(new Set(stored)).toEqual(new Set(['sources', 'code_executions']))
  const fields = [...STORED_BY_EVENTS, ...stored]
  expect(fields.filter((field) => !RUN_FIELDS.has(field))).toEqual([])
})

it('events are stored as their rows say', () => {
  const after = (type: string, data: unknown, before = row) => {
    const applied = applyEvent(before, { type, data } as EventData, bounds)
    return applied && { index: applied.index, ...(JSON.parse(applied.row.extra) as object) }
  }
  const two = { ...row, extra: '{"files":[1,2]}' }
  expect(after('files', { files: [3] }, two)).toEqual({ index: 2, files: [1, 2, 3] })
  expect(after('files', { files: [3], replace: true }, two)).toEqual({ index: 0, files: [3] })
  expect(after('status', { action: 'a', replace: true })).toEqual({
    index: 0,
    statusHistory: [{ action: 'a', replace: true }],
  })
  expect(after('chat:message:files', { files: [3] })).toBeNull()
  expect(after('chat:tags', {})).toBeNull()
})
