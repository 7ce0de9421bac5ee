import { z } from '#contract/lazy-zod.ts'
import { forbidden, notFound } from '../../lib/errors.ts'
import type { HostRequest } from '../host-request.ts'
import type { HostParts } from './dependencies.ts'
import { readParams, requireBytes, requirePerson, type HostMethod } from './method.ts'

const PIECE_BYTES = 1024 * 1024
const PAGES = 20

const getSchema = z.object({ id: z.string().max(256), content: z.boolean().optional() })
const listSchema = z.object({ ids: z.array(z.string().max(256)).max(1000).optional() })
const readSchema = z.object({ id: z.string().max(256) })
const createSchema = z.object({
  id: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'is no id a file can have')
    .optional(),
  filename: z.string().min(1).max(1000),
  content_type: z.string().max(200).nullish(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  bytes: z.unknown(),
  process: z.boolean().optional(),
  background: z.boolean().optional(),
})

/** Yields stored bytes in pieces; before each one only checks that it is still wanted. */
async function* readPieces(
  { files }: HostParts,
  userId: string,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  if (!(await files.get(userId, id))) throw notFound('There is no such file.')
  for await (const piece of await files.open(id, { signal, pieceBytes: PIECE_BYTES }))
    yield piece as Buffer
}

export function fileMethods(
  parts: HostParts,
  callEndpoint: HostMethod,
): Readonly<Record<string, HostMethod>> {
  const { files, groups } = parts
  const ask = (request: HostRequest, params: Record<string, unknown>) =>
    callEndpoint({ ...request, method: 'endpoint', params })
  const getFile = async (
    request: HostRequest,
    id: string,
    withContent: boolean,
  ): Promise<unknown> => {
    const entry = await files.get(requirePerson(request).userId, id)
    if (!entry) return null
    if (withContent) return ask(request, { id: 'files.get', params: { file_id: id } })
    const { status, error, ...file } = entry
    return { ...file, data: { status, ...(error !== null && { error }) } }
  }

  async function ownFiles(request: HostRequest): Promise<unknown[]> {
    const found: unknown[] = []
    const { userId } = requirePerson(request)
    for (let page = 1; page <= PAGES; page += 1) {
      const query = { page, content: false, user_id: userId }
      const { items } = (await ask(request, { id: 'files.list', query })) as { items: unknown[] }
      if (items.length === 0) break
      found.push(...items)
    }
    return found
  }

  return {
    'files.get': (request) => {
      const { id, content = true } = readParams(getSchema, request)
      return getFile(request, id, content)
    },
    'files.list': async (request) => {
      const { ids } = readParams(listSchema, request)
      if (!ids) return ownFiles(request)
      const found = await Promise.all(ids.map((id) => getFile(request, id, false)))
      return found.filter((file) => file !== null)
    },
    'files.read': (request) =>
      readPieces(
        parts,
        requirePerson(request).userId,
        readParams(readSchema, request).id,
        request.signal,
      ),
    'files.create': async (request) => {
      const caller = requirePerson(request)
      const {
        id,
        filename,
        content_type: type,
        metadata = {},
        bytes,
        process,
        background,
      } = readParams(createSchema, request)
      if (!(await groups.allows(caller, 'chat.file_upload')))
        throw forbidden('You may not upload files. Ask an administrator.')
      const content = { bytes: requireBytes(bytes) }
      const options = { process: process ?? false, background: background ?? true }
      const made = await files.create(
        caller.userId,
        { ...(id !== undefined && { id }), filename, contentType: type ?? null, content, metadata },
        options,
      )
      return getFile(request, made.id, true)
    },
  }
}
