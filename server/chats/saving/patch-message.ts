import type { AnswerPatch, WrittenFields } from '../answers/answer-patch.ts'
import { COLUMN_FIELDS } from './parse-message.ts'
import type { MessageRow } from '../chat-rows.ts'

function writeExtra(
  extra: string,
  sent: readonly (readonly [string, unknown])[],
  written: WrittenFields,
): string {
  const fields = Object.entries({ ...(JSON.parse(extra) as object), ...Object.fromEntries(sent) })
  const json = JSON.stringify(
    Object.fromEntries(
      fields.filter(([name, value]) => value !== null && !Object.hasOwn(written, name)),
    ),
  )
  const texts = Object.entries(written).map(([name, text]) => `${JSON.stringify(name)}:${text}`)
  if (texts.length === 0) return json
  return `${json.slice(0, -1)}${json === '{}' ? '' : ','}${texts.join(',')}}`
}

/** Lays a patch over a message; undefined fields stay, null removes a field. */
export function patchMessage(
  row: MessageRow,
  patch: AnswerPatch,
  written: WrittenFields = {},
): MessageRow {
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
  return { ...patched, extra: writeExtra(row.extra, sent, written) }
}
