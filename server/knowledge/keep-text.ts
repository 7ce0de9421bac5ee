import type { Caller } from '../lib/http.ts'
import { badRequest } from '../lib/errors.ts'
import { addFile } from './change-files.ts'
import { requireKnowledge, type KnowledgeContext } from './knowledge-context.ts'

/** A text from elsewhere, such as a page of the web. */
export interface KeptText {
  readonly name: string
  readonly text: string
  /** Where it is from, which tells it when it comes again. */
  readonly source: string
  /** Takes the place of what came from there before. */
  readonly overwrite: boolean
}

const LONGEST_NAME = 200

/**
 * Keeps a text as a file of a collection, so that it can be seen, cited and removed like any other.
 * @NOTE In a collection of files `overwrite` replaces what came from the same address, not what people put in by hand.
 */
export async function keepText(context: KnowledgeContext, caller: Caller, knowledgeId: string, kept: KeptText): Promise<void> {
  const { files, store } = context
  requireKnowledge(context, caller, knowledgeId, 'write')
  const earlier = kept.overwrite ? findBySource(context, knowledgeId, kept.source) : null
  if (earlier !== null) return files.updateContent(earlier, kept.text)
  const filename = `${kept.name.replace(/[/\\]/g, '_').slice(0, LONGEST_NAME)}.md`
  const content = { bytes: Buffer.from(kept.text, 'utf8') }
  const options = { process: true, background: false }
  const file = await files.create(
    caller.userId,
    { filename, contentType: 'text/markdown', content, metadata: { source: kept.source } },
    options,
  )
  if (file.status === 'failed') throw badRequest(file.error ?? 'The text could not be kept.', { code: 'unreadable' })
  if (store.fileWithHash(knowledgeId, file.hash) !== null) return files.remove(file.id)
  addFile(context, caller, knowledgeId, { file_id: file.id })
}

function findBySource({ files, store }: KnowledgeContext, knowledgeId: string, source: string): string | null {
  const link = store.links(knowledgeId).find(({ file_id }) => files.find(file_id)?.meta.data['source'] === source)
  return link?.file_id ?? null
}
