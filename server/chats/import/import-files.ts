import { constants, createWriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { ServiceError } from '../../lib/errors.ts'
import type { ChatContext } from '../chat-context.ts'
import type { ArchiveChat, ArchiveFile, Fields } from './archive-chat.ts'
import { fileIdOf, replaceFiles } from './attached-files.ts'
import type { ImportPlace } from './import-chat.ts'
import type { FileShelf } from './import-targets.ts'

/** Copies a regular file of another program; a link that replaced it meanwhile is not followed. */
async function copyFile(from: string, target: string): Promise<void> {
  const handle = await open(from, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    await pipeline(
      handle.createReadStream({ autoClose: false }),
      createWriteStream(target, { flags: 'wx', mode: 0o600 }),
    )
  } finally {
    await handle.close()
  }
}

/** Failures that concern one file: it is gone or unreadable, or the library refuses it. */
const isOfOneFile = (error: unknown): boolean =>
  error instanceof ServiceError
    ? error.status < 500
    : error instanceof Error &&
      'code' in error &&
      ['ENOENT', 'EACCES', 'EPERM', 'ELOOP', 'EISDIR', 'EIO'].includes(String(error.code))

interface CarrierOptions {
  readonly files: readonly ArchiveFile[]
  readonly newFile: () => string
  /** Called with the name of a file that cannot be stored. */
  readonly onFailure: (name: string) => void
}

/**
 * Creates the function that stores the files a chat refers to, each once, and returns the chat with
 * attachments that refer to the stored ones.
 */
export function createFileCarrier(
  { importedFiles, fileShelf }: ChatContext,
  { userId, source }: ImportPlace,
  { files, newFile, onFailure }: CarrierOptions,
): (chat: ArchiveChat) => Promise<ArchiveChat> {
  const byId = new Map(files.map((file) => [file.id, file]))
  const carried = new Map<string, Fields | null>()

  async function store({ id, name, path }: ArchiveFile, shelf: FileShelf): Promise<Fields | null> {
    const known = await importedFiles.find(userId, source, id)
    const found = known === undefined ? null : await shelf.find(userId, known)
    if (found) return found
    const temporary = newFile()
    try {
      await copyFile(path, temporary)
      const stored = await shelf.create(userId, { name, path: temporary })
      await importedFiles.save(userId, source, id, stored)
      return await shelf.find(userId, stored)
    } catch (error) {
      if (!isOfOneFile(error)) throw error
      onFailure(name)
      return null
    } finally {
      await rm(temporary, { force: true })
    }
  }

  return async (chat) => {
    if (byId.size === 0) return chat
    const wanted = new Set<string>()
    replaceFiles(chat.body, (file) => {
      wanted.add(fileIdOf(file))
      return file
    })
    for (const id of wanted) {
      const file = byId.get(id)
      if (!file || carried.has(id)) continue
      carried.set(id, fileShelf ? await store(file, fileShelf) : null)
    }
    const body = replaceFiles(chat.body, (file) => carried.get(fileIdOf(file)) ?? null)
    return { ...chat, body }
  }
}
