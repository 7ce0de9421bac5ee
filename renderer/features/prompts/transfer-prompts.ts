import type { Prompt, PromptInput } from '#contract/prompts.ts'
import { ApiError, call, endpoints } from '../../api/client.ts'
import { translate } from '../../lib/i18n.ts'
import type { PromptsStore } from './prompts-store.ts'
import { isRecord } from '../../lib/fields.ts'

/**
 * Exports prompts as a file that can be imported here and elsewhere; access grants are not
 * included.
 */
export const exportPrompts = (prompts: readonly Prompt[]): string =>
  `${JSON.stringify(
    prompts.map(({ command, name, title, content, tags, data, meta }) => ({
      command,
      name,
      title,
      content,
      tags,
      data,
      meta,
    })),
    null,
    2,
  )}\n`

type Row = Pick<PromptInput, 'command' | 'content'> & { name: string; tags: string[] }

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

function toRow(value: unknown): Row | null {
  if (
    !isRecord(value) ||
    typeof value['command'] !== 'string' ||
    typeof value['content'] !== 'string'
  )
    return null
  const name = value['name'] ?? value['title']
  return {
    command: value['command'],
    content: value['content'],
    name: typeof name === 'string' && name.trim() ? name : value['command'],
    tags: texts(value['tags']),
  }
}

/** Parses a file of prompts; throws a readable error if it is invalid. */
export function parsePrompts(text: string): readonly Row[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new Error(translate('prompts.notAFile'))
  }
  const rows = (Array.isArray(parsed) ? parsed : [parsed]).map(toRow).filter((row) => row !== null)
  if (rows.length === 0) throw new Error(translate('prompts.notAFile'))
  return rows
}

/** Adds the prompts of a file. Those whose command is in use are skipped. */
export async function importPrompts(
  store: PromptsStore,
  text: string,
): Promise<{ added: number; skipped: number }> {
  const rows = parsePrompts(text)
  let added = 0
  try {
    for (const body of rows) {
      try {
        await call(endpoints.prompts.create, { body })
        added += 1
      } catch (thrown) {
        // 400 means that the command is in use or invalid.
        if (!(thrown instanceof ApiError) || (thrown.status !== 400 && thrown.status !== 422))
          throw thrown
      }
    }
  } finally {
    await store.load()
  }
  return { added, skipped: rows.length - added }
}
