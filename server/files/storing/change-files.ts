import { badRequest, conflict, ServiceError } from '../../lib/errors.ts'
import { nowSeconds } from '../../lib/ids.ts'
import { cleanFilename, toNameKey } from './clean-filename.ts'
import type { FileParts } from '../file-parts.ts'
import { forNewText, parseFacts } from '../processing/process-file.ts'
import { missing } from '../reading/read-access.ts'
import { blobOf, type FileRow } from '../store.ts'

async function requireFile({ store }: FileParts, id: string): Promise<FileRow> {
  const row = await store.get(id)
  if (!row) throw missing()
  return row
}

/** Starts processing a new file and, on request, waits for the end. */
export async function follow(parts: FileParts, id: string, isWaitedFor: boolean): Promise<FileRow> {
  const { queue, store, board } = parts
  const row = await requireFile(parts, id)
  if (row.job === null) return row
  board.set(id, { stage: 'waiting', done: 0, total: null })
  parts.announce(row)
  // The queue may have finished the job before it was announced, when another file woke it.
  const current = await store.get(id)
  if (current?.job === null) {
    board.clear(id)
    parts.announce(current)
  }
  await queue.wake()
  if (isWaitedFor) await queue.whenDone(id)
  return requireFile(parts, id)
}

/** Stops the processing of a file, so that another operation can start. */
async function interrupt(parts: FileParts, id: string): Promise<void> {
  await parts.store.update(id, { job: null, reader: null })
  await parts.queue.cancel(id)
  await requireFile(parts, id)
}

/**
 * Throws 503 while the blob store is unavailable, because the call would otherwise wait for it.
 * Missing bytes are not an error here: reading them reports it.
 */
async function requireStore(blobs: FileParts['blobs'], row: FileRow): Promise<void> {
  try {
    await blobs.require(blobOf(row))
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 404) throw error
  }
}

/** State of a file that is to be read again. */
const waiting = (job: 'extract' | 'index') => ({
  status: 'pending' as const,
  job,
  attempts: 0,
  error: null,
  updated_at: nowSeconds(),
})

/** Replaces the text of a file and embeds it again. */
export async function replaceText(parts: FileParts, id: string, text: string): Promise<void> {
  if (text.trim() === '')
    throw badRequest('The text is empty. Delete the file if you no longer need it.')
  const { store, texts } = parts
  await requireFile(parts, id)
  await parts.changes.run(id, async () => {
    await interrupt(parts, id)
    const version = await texts.write(id, text).catch(async (error: unknown) => {
      // Long texts are written in steps, and the file may be deleted between two of them.
      throw (await store.get(id)) ? error : missing()
    })
    const document = JSON.stringify(forNewText(parseFacts(await store.document(id))))
    await store.update(id, {
      document,
      text_version: version,
      text_length: text.length,
      ...waiting('index'),
    })
    await texts.keepOnly(id, version)
  })
  await follow(parts, id, true)
}

/** Extracts the text of a file and embeds it again. */
export async function readAgain(parts: FileParts, id: string): Promise<FileRow> {
  const row = await requireFile(parts, id)
  if (row.kind === 'image')
    throw conflict('There is no text in images. Models that understand images can use this one.')
  await requireStore(parts.blobs, row)
  await parts.changes.run(id, async () => {
    await interrupt(parts, id)
    await parts.store.update(id, waiting('extract'))
  })
  return follow(parts, id, true)
}

export async function removeFile(parts: FileParts, id: string): Promise<void> {
  const row = await requireFile(parts, id)
  await parts.store.remove(id)
  parts.queue.abandon(id)
  parts.announceRemoval(row)
  await parts.leftovers.clear()
}

/** Deletes the files of all users. */
export async function removeAllFiles(parts: FileParts): Promise<void> {
  const { store, storage, jobs, queue } = parts
  const busy = await jobs.busy()
  const deletion = await store.removeAll()
  await queue.cancelGone()
  for (const row of busy) parts.announceRemoval(row)
  if (deletion !== null) await storage.deletions.hidden(deletion)
}

export async function renameFile(parts: FileParts, id: string, filename: string): Promise<FileRow> {
  await requireFile(parts, id)
  const name = cleanFilename(filename)
  await parts.store.update(id, {
    filename: name,
    name_key: toNameKey(name),
    updated_at: nowSeconds(),
  })
  // Passages name the file they come from.
  await parts.retrieval.rename(id, name)
  return requireFile(parts, id)
}
