import { createHash } from 'node:crypto'
import { nowSeconds } from '../../lib/ids.ts'
import type { ChatContext } from '../chat-context.ts'
import type { ArchivePrompt } from './archive-chat.ts'
import type { ImportPlace } from './import-chat.ts'
import type { ImportPromptRow } from './prompt-store.ts'

interface Known {
  readonly row: ImportPromptRow
  /** True if the stored prompt was changed after it was imported. */
  readonly isChangedHere: boolean
}

const fingerprintOf = (prompt: ArchivePrompt): string =>
  createHash('sha256').update(JSON.stringify(prompt)).digest('hex')

async function findKnown(
  { importedPrompts, promptLibrary }: ChatContext,
  { userId, source }: ImportPlace,
  { key }: ArchivePrompt,
): Promise<Known | null> {
  const row = await importedPrompts.find(userId, source, key)
  const stamp = row && (await promptLibrary!.stampOf(userId, row.prompt_id))
  return row && stamp ? { row, isChangedHere: stamp !== row.stamp } : null
}

/** Determines the effect of importing a prompt; changes made by the user here stay. */
export async function findPromptState(
  context: ChatContext,
  place: ImportPlace,
  prompt: ArchivePrompt,
): Promise<'new' | 'changed' | 'known'> {
  const known = await findKnown(context, place, prompt)
  if (!known) return 'new'
  return known.isChangedHere || known.row.fingerprint === fingerprintOf(prompt)
    ? 'known'
    : 'changed'
}

/** Imports one prompt. A second import changes nothing. */
export function importPrompt(
  context: ChatContext,
  place: ImportPlace,
  prompt: ArchivePrompt,
): Promise<'created' | 'updated' | 'unchanged'> {
  const { storage, importedPrompts, promptLibrary } = context
  const { userId, source, runId } = place
  const library = promptLibrary!
  const save = async (id: string, madeBy: string): Promise<void> =>
    importedPrompts.save({
      user_id: userId,
      source,
      external_id: prompt.key,
      prompt_id: id,
      fingerprint: fingerprintOf(prompt),
      stamp: (await library.stampOf(userId, id))!,
      imported_at: nowSeconds(),
      run_id: madeBy,
    })
  return storage.transaction(async () => {
    const state = await findPromptState(context, place, prompt)
    if (state === 'known') return 'unchanged'
    if (state === 'new') {
      await save(await library.create(userId, prompt), runId)
      return 'created'
    }
    const { row } = (await findKnown(context, place, prompt))!
    await library.update(userId, row.prompt_id, prompt)
    await save(row.prompt_id, row.run_id)
    return 'updated'
  })
}

/** Deletes the prompts created by an import; those changed since stay. */
export async function removeImportedPrompts(
  { storage, promptLibrary }: ChatContext,
  userId: string,
  made: readonly ImportPromptRow[],
): Promise<number> {
  let removed = 0
  for (const { prompt_id: id, stamp } of made)
    removed += await storage.transaction(async () => {
      if ((await promptLibrary?.stampOf(userId, id)) !== stamp) return 0
      await promptLibrary!.remove(userId, id)
      return 1
    })
  return removed
}
