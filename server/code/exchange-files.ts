import path from 'node:path'
import type { CodeFile } from '#contract/code.ts'
import type { Files } from '../files/index.ts'
import { parseDataImage } from '../lib/images/data-image.ts'
import { ServiceError } from '../lib/errors.ts'

export type CodeFiles = Files

const MEBIBYTE = 1024 * 1024
const PRIVATE = { process: false, background: true }

/** Returns a name without a path to another folder. */
export const toSafeName = (name: string): string =>
  path.posix
    .basename(name.replaceAll('\\', '/'))
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, 200)

export interface GivenFiles {
  readonly given: readonly { readonly name: string; readonly bytes: Buffer }[]
  /** A sentence for each file that is not passed to the code. */
  readonly remarks: readonly string[]
}

/**
 * Reads the files that code will find in its folder. Omits files of others, and those that are too
 * large.
 */
export async function readGivenFiles(
  files: CodeFiles,
  userId: string,
  wanted: readonly CodeFile[],
  limit: number,
): Promise<GivenFiles> {
  const given: { name: string; bytes: Buffer }[] = []
  const remarks: string[] = []
  let room = limit
  for (const { id, name } of wanted) {
    const entry = await files.get(userId, id)
    const safe = toSafeName(name) || id
    if (!entry || entry.meta.size > room) {
      remarks.push(
        `[${safe} is not there for the code: ${entry ? `it is given ${limit / MEBIBYTE} MiB at most` : 'there is no such file'}.]`,
      )
      continue
    }
    room -= entry.meta.size
    given.push({ name: safe, bytes: await files.read(id) })
  }
  return { given, remarks }
}

export interface MadeFiles {
  readonly files: CodeFile[]
  readonly pictures: string[]
  readonly remarks: string[]
}

/** Stores files made by code as files of the user. Reports those that cannot be stored. */
export async function keepMadeFiles(
  files: CodeFiles,
  userId: string,
  made: {
    readonly files: ReadonlyMap<string, Buffer>
    readonly pictures: readonly string[]
    readonly runId: string
  },
): Promise<MadeFiles> {
  const kept: MadeFiles = { files: [], pictures: [], remarks: [] }
  const keep = async (filename: string, bytes: Uint8Array): Promise<CodeFile | null> => {
    try {
      const metadata = { source: 'code_execution', run_id: made.runId }
      const entry = await files.create(
        userId,
        { filename, contentType: null, content: { bytes }, metadata },
        PRIVATE,
      )
      return {
        id: entry.id,
        name: entry.meta.name,
        type: entry.meta.content_type,
        size: entry.meta.size,
      }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      kept.remarks.push(`[${filename} was not kept: ${error.message}]`)
      return null
    }
  }
  for (const [name, bytes] of made.files) {
    const file = await keep(toSafeName(name) || 'file', bytes)
    if (file) kept.files.push(file)
  }
  for (const [index, address] of made.pictures.entries()) {
    const picture = parseDataImage(address)
    const file =
      picture &&
      (await keep(`picture-${index + 1}.${picture.type.slice('image/'.length)}`, picture.bytes))
    if (file) kept.pictures.push(`/api/v1/files/${file.id}/content`)
  }
  return kept
}
