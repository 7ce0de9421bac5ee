import type { FilesDependencies } from '../files-dependencies.ts'
import { ServiceError } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { ExtractedDocument, Extraction, Retrieval } from '../../retrieval/index.ts'
import type { FileProgress } from '#contract/files.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import { blobOf, type FileRow, type FileStore } from '../store.ts'
import type { Texts } from '../text/texts.ts'

/** Dependencies for reading a file. */
export interface ProcessDependencies {
  readonly store: FileStore
  readonly texts: Texts
  readonly extraction: Pick<Extraction, 'extract' | 'canExtract'>
  readonly recordings: FilesDependencies['recordings']
  readonly retrieval: Pick<Retrieval, 'index' | 'collections'>
  readonly blobs: Blobs
}

export interface ProcessRun {
  readonly signal: AbortSignal
  readonly onProgress: (progress: FileProgress) => void
}

/** A text with the version under which it is stored. */
interface ReadText {
  readonly document: ExtractedDocument
  readonly version: number
}

/** Data stored of a document besides its text. */
export type DocumentFacts = Omit<ExtractedDocument, 'text'>

const PLAIN: DocumentFacts = { format: 'text', title: null, pages: [], language: null, notices: [] }

export const toFacts = ({ text: _text, ...facts }: ExtractedDocument): DocumentFacts => facts

/**
 * Returns the facts of a document whose text was replaced: the pages of the old text no longer
 * apply.
 */
export const forNewText = (facts: DocumentFacts): DocumentFacts => ({
  ...facts,
  pages: [],
  notices: [],
})

export const parseFacts = (text: string | null): DocumentFacts => {
  const parsed: unknown = text === null ? null : JSON.parse(text)
  return isRecord(parsed) ? { ...PLAIN, ...parsed } : PLAIN
}

export const collectionOf = (fileId: string): string => `file-${fileId}`

/**
 * Returns the transcript of a recording. Any obstacle is an error of the file and is reported
 * there.
 */
async function readRecording(
  { recordings, blobs }: ProcessDependencies,
  row: FileRow,
  { signal, onProgress }: ProcessRun,
): Promise<string> {
  onProgress({ stage: 'extracting', done: 0, total: null })
  const { filename, content_type: type, size } = row
  const text = await blobs.lend(blobOf(row), signal, (path) =>
    recordings!.transcribe(
      { path, size, filename, type: type ?? '' },
      { userId: row.user_id, signal },
    ),
  )
  signal.throwIfAborted()
  return text
}

/** Reads the bytes, or the text that a user stored in their place. */
async function readText(
  dependencies: ProcessDependencies,
  row: FileRow,
  { signal, onProgress }: ProcessRun,
): Promise<ReadText> {
  const { store, texts, extraction, recordings } = dependencies
  const { id, filename, content_type } = row
  if (row.job === 'index') {
    const document = {
      ...parseFacts(await store.document(id)),
      text: await texts.readInTurns(id, row.text_version),
    }
    return { document, version: row.text_version }
  }
  if (await recordings?.takes(row.user_id, filename, content_type)) {
    const text = await readRecording(dependencies, row, { signal, onProgress })
    return { document: { ...PLAIN, text }, version: await texts.write(id, text) }
  }
  if (!extraction.canExtract(filename, content_type)) {
    throw new ServiceError(
      422,
      'There is no text in files of this kind. The file is kept and can be downloaded.',
      { code: 'no_text' },
    )
  }
  onProgress({ stage: 'extracting', done: 0, total: null })
  const document = await dependencies.blobs.lend(blobOf(row), signal, (path) =>
    extraction.extract(
      { path, filename, contentType: content_type },
      { signal, onProgress: (done, total) => onProgress({ stage: 'extracting', done, total }) },
    ),
  )
  signal.throwIfAborted()
  return { document, version: await texts.write(id, document.text) }
}

/**
 * Extracts the text of a file and adds its passages to the index; resolves with the changes of the
 * row.
 */
export async function processFile(
  dependencies: ProcessDependencies,
  row: FileRow,
  run: ProcessRun,
) {
  const { document, version } = await readText(dependencies, row, run)
  const facts = toFacts(document)
  if (document.text.trim() === '') {
    const reason = facts.notices[0] ?? 'There is no text in this file.'
    throw new ServiceError(422, reason, { code: 'no_text' })
  }
  run.signal.throwIfAborted()
  run.onProgress({ stage: 'embedding', done: 0, total: null })
  const { retrieval } = dependencies
  await retrieval.index(
    { id: row.id, kind: 'file', name: row.filename, content: document },
    {
      signal: run.signal,
      onProgress: (done, total) => run.onProgress({ stage: 'embedding', done, total }),
    },
  )
  await retrieval.collections.add(collectionOf(row.id), row.id)
  return {
    document: JSON.stringify(facts),
    text_version: version,
    text_length: document.text.length,
  }
}
