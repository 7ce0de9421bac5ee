import type { File, FileStatus } from '#contract/files.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { FileEntry } from '../file-entry.ts'
import { collectionOf } from '../processing/process-file.ts'
import type { FileRow } from '../store.ts'

const parseMetadata = (text: string): Record<string, unknown> => {
  const value: unknown = JSON.parse(text)
  return isRecord(value) ? value : {}
}

const toMeta = (row: FileRow): FileEntry['meta'] => ({
  file_hash: row.hash,
  name: row.filename,
  content_type: row.content_type,
  size: row.size,
  data: parseMetadata(row.metadata),
  collection_name: row.text_length === null ? null : collectionOf(row.id),
})

/**
 * @NOTE A file whose processing was not requested counts as pending, as clients of the reference
 *   system expect.
 */
export const statusOf = ({ status }: Pick<FileRow, 'status'>): FileStatus => status ?? 'pending'

export function toEntry(row: FileRow): FileEntry {
  const { id, user_id, hash, filename, error, created_at, updated_at } = row
  return {
    id,
    user_id,
    hash,
    filename,
    meta: toMeta(row),
    status: statusOf(row),
    isAsked: row.status !== null,
    error,
    created_at,
    updated_at,
  }
}

/** Returns a file as sent to clients, without its text. */
export function toWireFile(row: FileRow): File {
  const { id, user_id, hash, filename, created_at, updated_at } = row
  const data = {
    ...(row.status !== null && { status: row.status }),
    ...(row.error !== null && { error: row.error }),
  }
  return { id, user_id, hash, filename, data, meta: toMeta(row), created_at, updated_at }
}

/** Yields the content of a JSON string in chunks. */
export async function* toJsonString(
  pieces: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string> {
  yield '"'
  for await (const piece of pieces) yield JSON.stringify(piece).slice(1, -1)
  yield '"'
}

/** Yields the JSON of a file with its text, which may be too long for a single string. */
export async function* toWireJson(
  row: FileRow,
  pieces: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string> {
  const { data, ...file } = toWireFile(row)
  if (row.text_length === null) return yield JSON.stringify({ ...file, data })
  yield `${JSON.stringify(file).slice(0, -1)},"data":${JSON.stringify(data).slice(0, -1)}${Object.keys(data).length > 0 ? ',' : ''}"content":`
  yield* toJsonString(pieces)
  yield '}}'
}
