import { flatMapInOrder } from '../lib/in-order.ts'
import { rm } from 'node:fs/promises'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { fileEndpoints, type File, type FileText, type ListFilesQuery } from '#contract/files.ts'
import { countJsonValues } from '../lib/json/count-json-values.ts'
import { badRequest, notFound } from '../lib/errors.ts'
import {
  asJsonPieces,
  httpRoute,
  route,
  type HttpCall,
  type Caller,
  type Route,
} from '../lib/http.ts'
import { isRecord } from '../lib/is-record.ts'
import { readMultipart } from '../lib/serving/read-multipart.ts'
import { cleanFilename, toNameKey } from './storing/clean-filename.ts'
import {
  follow,
  readAgain,
  removeAllFiles,
  removeFile,
  renameFile,
  replaceText,
} from './storing/change-files.ts'
import { storeFile } from './storing/create-file.ts'
import type { FileParts } from './file-parts.ts'
import { parseFacts } from './processing/process-file.ts'
import { sendContent, sendPage, type Delivery } from './reading/send-content.ts'
import type { FileFilter, FileOrder, FileRow } from './store.ts'
import { toJsonString, toWireFile, toWireJson } from './reading/to-entry.ts'
import { streamStatus } from './processing/stream-status.ts'
import { parseOrNull } from '../lib/json/parse-or-null.ts'

const table = fileEndpoints
const NO_TEXT = { format: null, title: null, pages: [], language: null, notices: [] }
const PAGE_SIZE = 50
const MOST_FOUND = 100
const USUAL_DAYS = 30
/** Lists of files contain the metadata of each. */
const METADATA_BOUNDS = { values: 2000, levels: 100 }

function parseMetadata(text: string | undefined): Record<string, unknown> {
  if (text === undefined || text.trim() === '') return {}
  if (countJsonValues(Buffer.from(text), METADATA_BOUNDS) === null)
    throw badRequest(
      `The field "metadata" is too large: it may have ${METADATA_BOUNDS.values} values and ${METADATA_BOUNDS.levels} levels. These limits are fixed.`,
      { code: 'too_many_values' },
    )
  const value = parseOrNull(text)
  if (!isRecord(value)) throw badRequest('The field "metadata" is not a JSON object.')
  return value
}

const escapePattern = (text: string): string => toNameKey(text).replace(/[\\%_]/g, '\\$&')
const toPattern = (wildcards: string): string =>
  escapePattern(wildcards).replaceAll('*', '%').replaceAll('?', '_')

/** Administrators manage the files of all users. */
const ownerFor = ({ role, userId }: Caller, wanted?: string): string | null =>
  role === 'admin' ? (wanted ?? null) : userId

const toNamePattern = (name: string): string =>
  /[*?]/.test(name) ? toPattern(name) : `%${escapePattern(name)}%`

function toFilter(
  caller: Caller,
  { query = '', status, kind, user_id }: ListFilesQuery,
): FileFilter {
  const name = query.trim()
  return {
    userId: ownerFor(caller, user_id),
    namePattern: name === '' ? null : toNamePattern(name),
    status: status || null,
    kind: kind || null,
  }
}

function toOrder({ order_by, direction, page = 1 }: ListFilesQuery): FileOrder {
  const by = order_by || 'created_at'
  return {
    by,
    direction: direction || (by === 'filename' ? 'asc' : 'desc'),
    offset: (page - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
  }
}

/** Yields files and their texts as JSON in chunks, because the texts may be long. */
class FileReading {
  readonly #parts: FileParts

  constructor(parts: FileParts) {
    this.#parts = parts
  }

  file(row: FileRow) {
    return asJsonPieces<File>(toWireJson(row, this.#piecesOf(row)))
  }

  list(caller: Caller, rows: readonly FileRow[], hasContent: boolean) {
    return asJsonPieces<File[]>(this.#fileArray(caller, rows, hasContent))
  }

  page(
    caller: Caller,
    rows: readonly FileRow[],
    { hasContent, total }: { hasContent: boolean; total: number },
  ) {
    const items = this.#fileArray(caller, rows, hasContent)
    return asJsonPieces<{ items: File[]; total: number }>(
      inside('{"items":', items, `,"total":${total}}`),
    )
  }

  text(row: FileRow) {
    return asJsonPieces<FileText>(this.#fileText(row))
  }

  content(row: FileRow) {
    return asJsonPieces<{ content: string }>(inside('{"content":', this.#textOf(row), '}'))
  }

  async *uploaded(row: FileRow): AsyncGenerator<string> {
    let isFirst = true
    for await (const piece of toWireJson(row, this.#piecesOf(row))) {
      yield isFirst ? `{"status":true,${piece.slice(1)}` : piece
      isFirst = false
    }
  }

  #piecesOf(row: FileRow): AsyncIterable<string> {
    return this.#parts.texts.pieces(row.id, row.text_version)
  }

  /** Files the caller may no longer read when they are sent are left out. */
  async *#fileArray(
    { userId }: Caller,
    rows: readonly FileRow[],
    hasContent: boolean,
  ): AsyncGenerator<string> {
    yield '['
    let isFirst = true
    for (const row of rows) {
      if (!(await this.#parts.access.canRead(userId, row))) continue
      if (!isFirst) yield ','
      isFirst = false
      if (hasContent) yield* toWireJson(row, this.#piecesOf(row))
      else yield JSON.stringify(toWireFile(row))
    }
    yield ']'
  }

  #textOf(row: FileRow) {
    return toJsonString(row.text_length === null ? [] : this.#piecesOf(row))
  }

  async *#fileText(row: FileRow): AsyncGenerator<string> {
    yield '{"content":'
    yield* this.#textOf(row)
    const facts =
      row.text_length === null ? NO_TEXT : parseFacts(await this.#parts.store.document(row.id))
    yield `,${JSON.stringify(facts).slice(1)}`
  }
}

async function* inside(
  before: string,
  pieces: AsyncIterable<string>,
  after: string,
): AsyncGenerator<string> {
  yield before
  yield* pieces
  yield after
}

function createUpload(parts: FileParts) {
  const { limits, blobs } = parts
  return async ({
    caller,
    query,
    request,
    response,
    confirm,
  }: HttpCall<typeof table.upload>): Promise<FileRow> => {
    const { bytes, sentence } = limits.largest()
    const { file, fields } = await readMultipart(request, response, {
      fileField: 'file',
      limit: bytes,
      tooLarge: sentence,
      checkName: (filename) => limits.checkName(cleanFilename(filename)),
      newTemporaryFile: () => blobs.newTemporaryFile(),
    })
    try {
      await confirm()
      const metadata = parseMetadata(fields['metadata'])
      const about = {
        filename: file.filename,
        contentType: null,
        metadata,
        process: query.process ?? true,
      }
      return await follow(
        parts,
        await storeFile(parts, caller.userId, file, about),
        query.process_in_background === false,
      )
    } finally {
      await rm(file.path, { force: true })
    }
  }
}

function createLists(parts: FileParts): Route[] {
  const { store, limits } = parts
  const reading = new FileReading(parts)
  return [
    route(table.list, async ({ caller, query }) => {
      const filter = toFilter(caller, query)
      return reading.page(caller, await store.list(filter, toOrder(query)), {
        hasContent: query.content ?? true,
        total: await store.count(filter),
      })
    }),
    route(table.search, async ({ caller, query }) => {
      const filter = {
        userId: ownerFor(caller),
        namePattern: toPattern(query.filename),
        status: null,
        kind: null,
      }
      const slice = { offset: query.skip ?? 0, limit: query.limit ?? MOST_FOUND }
      const rows = await store.list(filter, { by: 'created_at', direction: 'desc', ...slice })
      if (rows.length === 0) throw notFound('No file has such a name.')
      return reading.list(caller, rows, query.content ?? true)
    }),
    route(table.usage, async ({ caller }) => ({
      ...(await store.usage(caller.userId)),
      quota_bytes: limits.quotaBytes(),
      max_file_bytes: limits.maxBytes(),
      max_count: limits.maxCount(),
      allowed_extensions: limits.extensions(),
    })),
  ]
}

function createDownloads(parts: FileParts): Route[] {
  const { access, blobs } = parts
  const toDelivery = async (
    call: HttpCall & { caller: Caller; params: { file_id: string } },
  ): Promise<Delivery> => {
    const row = await access.requireReadable(call.caller, call.params.file_id)
    return {
      row,
      blobs,
      request: call.request,
      response: call.response,
      signal: call.signal,
    }
  }
  return [
    httpRoute(table.content, async (call) =>
      sendContent(await toDelivery(call), call.query.attachment ?? false),
    ),
    httpRoute(table.html, async (call) => sendPage(await toDelivery(call))),
    httpRoute(table.namedContent, async (call) =>
      sendContent(await toDelivery(call), call.query.attachment ?? false),
    ),
  ]
}

/** Creates the endpoints of files. */
export function createFileRoutes(parts: FileParts): Route[] {
  const { access, store, unused, uses, board, streams, others } = parts
  const reading = new FileReading(parts)
  const upload = createUpload(parts)
  /** Changes a file of the caller, and returns it as it is afterwards. */
  const change = async (
    { caller, params }: { caller: Caller; params: { file_id: string } },
    act: (id: string) => Promise<unknown>,
  ): Promise<FileRow> => {
    await act((await access.requireOwned(caller, params.file_id)).id)
    return access.requireOwned(caller, params.file_id)
  }

  return [
    httpRoute(table.upload, async (call) => {
      const row = await upload(call)
      return asJsonPieces<EndpointOutput<typeof table.upload>>(reading.uploaded(row), {
        id: row.id,
        filename: row.filename,
      })
    }),
    ...createLists(parts),
    route(table.unused, async ({ query }) => {
      const found = await unused.find(query.days ?? USUAL_DAYS)
      const items = await flatMapInOrder(found.slice(0, MOST_FOUND), async ({ id }) => {
        const row = await store.get(id)
        return row ? [toWireFile(row)] : []
      })
      return { count: found.length, bytes: found.reduce((sum, { size }) => sum + size, 0), items }
    }),
    route(table.removeUnused, ({ query }) => unused.remove(query.days ?? USUAL_DAYS)),
    route(table.removeAll, async () => {
      await removeAllFiles(parts)
      return { message: 'All files were deleted.' }
    }),
    route(table.uses, async ({ caller, params }) =>
      uses(caller, await access.requireOwned(caller, params.file_id)),
    ),
    httpRoute(table.status, async ({ caller, params, query, response }) => {
      const { id: _id, ...state } = parts.newsOf(
        await access.requireReadable(caller, params.file_id),
      )
      if (query.stream !== true) return state
      const readElsewhere = others && ((id: string) => parts.whenRead(id))
      streamStatus(response, { id: params.file_id, ...state }, { board, streams, readElsewhere })
      return undefined
    }),
    route(table.process, async (call) =>
      reading.file(await change(call, (id) => readAgain(parts, id))),
    ),
    route(table.text, async ({ caller, params }) =>
      reading.text(await access.requireReadable(caller, params.file_id)),
    ),
    route(table.updateText, async (call) =>
      reading.content(await change(call, (id) => replaceText(parts, id, call.body.content))),
    ),
    ...createDownloads(parts),
    route(table.rename, async (call) =>
      reading.file(await change(call, (id) => renameFile(parts, id, call.body.filename))),
    ),
    route(table.remove, async ({ caller, params }) => {
      await removeFile(parts, (await access.requireOwned(caller, params.file_id)).id)
      return { message: 'The file was deleted.' }
    }),
    route(table.get, async ({ caller, params }) =>
      reading.file(await access.requireReadable(caller, params.file_id)),
    ),
  ]
}
