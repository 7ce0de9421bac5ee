import type { FileEntry } from '../files/index.ts'
import type { Caller } from '../lib/http.ts'
import { badRequest } from '../lib/errors.ts'
import { addFile, deleteUnused, takeOut } from './change-files.ts'
import { requireKnowledge, type KnowledgeContext } from './knowledge-context.ts'
import type { LinkRow } from './link-store.ts'

/** A text from elsewhere, such as a web page. */
export interface KeptText {
  readonly name: string
  readonly text: string
  /** Origin of the text; identifies it when it is stored again. */
  readonly source: string
  /** Replaces the text stored before from the same origin. */
  readonly overwrite: boolean
}

const LONGEST_NAME = 200

/**
 * Stores a text as a file of a collection, so that it can be viewed, cited and removed like any
 * other file.
 * @NOTE In a collection of files `overwrite` replaces what came from the same URL, not files that
 *   users added by hand. Files of other users are then removed from the collection, never rewritten:
 *   they may be in collections the caller has no access to.
 */
export async function keepText(
  context: KnowledgeContext,
  caller: Caller,
  knowledgeId: string,
  kept: KeptText,
): Promise<void> {
  const { files, storage } = context
  await requireKnowledge(context, caller, knowledgeId, 'write')
  const filename = `${kept.name.replace(/[/\\]/g, '_').slice(0, LONGEST_NAME)}.md`
  const content = { bytes: Buffer.from(kept.text, 'utf8') }
  const options = { process: true, background: false }
  const file = await files.create(
    caller.userId,
    { filename, contentType: 'text/markdown', content, metadata: { source: kept.source } },
    options,
  )
  try {
    if (file.status === 'failed')
      throw badRequest(file.error ?? 'The text could not be kept.', { code: 'unreadable' })
    // Of the same page fetched several times at once, each replaces the one stored before it.
    await storage.transaction(() => putIn(context, caller, knowledgeId, { file, kept }))
  } catch (error) {
    await files.remove(file.id)
    throw error
  }
}

/** Looked up only after the text was read, because the same text may have been added meanwhile. */
async function putIn(
  context: KnowledgeContext,
  caller: Caller,
  knowledgeId: string,
  { file, kept }: { file: FileEntry; kept: KeptText },
): Promise<void> {
  const { files, linkStore } = context
  const earlier = kept.overwrite ? await findBySource(context, knowledgeId, kept.source) : []
  const same = await linkStore.fileWithHash(knowledgeId, file.hash)
  if (same === null)
    await addFile(context, caller, knowledgeId, {
      file_id: file.id,
      directory_id: earlier[0]?.directory_id,
    })
  else await files.remove(file.id)
  for (const { file_id } of earlier) {
    if (file_id === same) continue
    await takeOut(context, knowledgeId, file_id)
    await deleteUnused(context, caller, file_id)
  }
}

async function findBySource(
  { files, linkStore }: KnowledgeContext,
  knowledgeId: string,
  source: string,
): Promise<LinkRow[]> {
  const links = await linkStore.links(knowledgeId)
  const found = new Set<string>()
  for await (const file of files.each(links.map(({ file_id }) => file_id)))
    if (file.meta.data['source'] === source) found.add(file.id)
  return links.filter(({ file_id }) => found.has(file_id))
}
