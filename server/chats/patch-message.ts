import type { AnswerPatch } from './index.ts'
import { COLUMN_FIELDS } from './parse-message.ts'
import type { MessageRow } from './store.ts'

/** A message with a patch laid over it; undefined fields stay, a null takes a field away. */
export function patchMessage(row: MessageRow, patch: AnswerPatch): MessageRow {
  const { content, reasoning_content: reasoning, done, ...rest } = patch
  const sent = Object.entries(rest).filter(
    ([name, value]) => value !== undefined && !COLUMN_FIELDS.has(name),
  )
  const patched = {
    ...row,
    content: content ?? row.content,
    parts: content === undefined ? row.parts : null,
    reasoning_content: reasoning ?? row.reasoning_content,
    done: done === undefined ? row.done : Number(done),
    running: done === true ? 0 : row.running,
  }
  if (sent.length === 0) return patched
  const fields = Object.entries({
    ...(JSON.parse(row.extra) as object),
    ...Object.fromEntries(sent),
  })
  return {
    ...patched,
    extra: JSON.stringify(Object.fromEntries(fields.filter(([, value]) => value !== null))),
  }
}
