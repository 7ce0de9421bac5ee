import { badRequest, conflict, ServiceError } from '../../lib/errors.ts'
import { KeyedLines } from '../../lib/timing/keyed-lines.ts'
import { nowSeconds } from '../../lib/ids.ts'
import type { Retrieval } from '../../retrieval/index.ts'
import { cleanFilename, toNameKey } from './clean-filename.ts'
import type { FileParts } from '../file-parts.ts'
import type { Files } from '../files.ts'
import { forNewText, parseFacts } from '../processing/process-file.ts'
import { missing } from '../reading/read-access.ts'
import { blobOf, type FileRow } from '../store.ts'
import { toEntry } from '../reading/to-entry.ts'

/** Starts processing a new file and, on request, waits for the end. */
export async function follow(
  { queue, store, board, announce }: FileParts,
  id: string,
  isWaitedFor: boolean,
): Promise<FileRow> {
  const row = await store.get(id)
  if (!row) throw missing()
  if (row.job === null) return row
  board.set(id, { stage: 'waiting', done: 0, total: null })
  announce(row)
  // The queue may have finished the job before it was announced, when another file woke it.
  const current = await store.get(id)
  if (current?.job === null) {
    board.clear(id)
    announce(current)
  }
  await queue.wake()
  if (isWaitedFor) await queue.whenDone(id)
  const now = await store.get(id)
  if (!now) throw missing()
  return now
}

/** Stops the processing of a file, so that another operation can start. */
async function interrupt({ queue, store }: FileParts, id: string): Promise<FileRow> {
  await store.update(id, { job: null, reader: null })
  await queue.cancel(id)
  const row = await store.get(id)
  if (!row) throw missing()
  return row
}

async function requireFile({ store }: Pick<FileParts, 'store'>, id: string): Promise<FileRow> {
  const row = await store.get(id)
  if (!row) throw missing()
  return row
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

export function createChanges(
  parts: FileParts,
  retrieval: Pick<Retrieval, 'rename'>,
): Pick<Files, 'updateContent' | 'process' | 'remove' | 'removeAll' | 'rename'> {
  const { store, blobs, texts, queue, board, leftovers } = parts
  // Each change of a file stops its processing and removes the texts of the previous changes.
  const lines = new KeyedLines()
  async function replaceText(id: string, text: string): Promise<void> {
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
      status: 'pending',
      job: 'index',
      attempts: 0,
      error: null,
      updated_at: nowSeconds(),
    })
    await texts.keepOnly(id, version)
  }
  const changes: ReturnType<typeof createChanges> = {
    async updateContent(id, text) {
      if (text.trim() === '')
        throw badRequest('The text is empty. Delete the file if you no longer need it.')
      await requireFile(parts, id)
      await lines.run(id, () => replaceText(id, text))
      await follow(parts, id, true)
    },
    async process(id) {
      const row = await requireFile(parts, id)
      if (row.kind === 'image')
        throw conflict(
          'There is no text in images. Models that understand images can use this one.',
        )
      await requireStore(blobs, row)
      await lines.run(id, async () => {
        await interrupt(parts, id)
        await store.update(id, {
          status: 'pending',
          job: 'extract',
          attempts: 0,
          error: null,
          updated_at: nowSeconds(),
        })
      })
      return toEntry(await follow(parts, id, true))
    },
    async remove(id) {
      const { user_id } = await requireFile(parts, id)
      await store.remove(id)
      queue.abandon(id)
      board.announce(user_id, { id, status: 'not_found', error: null, progress: null })
      await leftovers.clear()
    },
    async removeAll() {
      const busy = await parts.jobs.busy()
      const deletion = await store.removeAll()
      await queue.cancelGone()
      for (const { id, user_id } of busy)
        board.announce(user_id, { id, status: 'not_found', error: null, progress: null })
      if (deletion !== null) await parts.deletions.hidden(deletion)
    },
    async rename(id, filename) {
      await requireFile(parts, id)
      const name = cleanFilename(filename)
      await store.update(id, {
        filename: name,
        name_key: toNameKey(name),
        updated_at: nowSeconds(),
      })
      // Passages name the file they come from.
      await retrieval.rename(id, name)
      return toEntry(await requireFile(parts, id))
    },
  }
  return changes
}
