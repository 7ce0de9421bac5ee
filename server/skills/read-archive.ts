import { isSkillPath, SKILL_LIMITS } from '#contract/skills.ts'
import { badRequest } from '../lib/errors.ts'
import { ArchiveError, ZipReader } from '../lib/bytes/read-zip.ts'
import { nextTurn } from '../lib/turns.ts'
import type { NewFile } from './change-skill.ts'
import { readSkillText, SkillFolderError, type SkillText } from './skill-folder.ts'

/** A skill as contained in an archive. */
export interface SkillArchive extends SkillText {
  /** Name of the folder, or the skill's name if the archive has no folder. */
  readonly folder: string
  readonly files: readonly NewFile[]
}

/**
 * Small enough that a slice which unpacks to a thousand times its size does not block others for
 * long.
 */
const SLICE = 4 * 1024
const MEBIBYTE = 1024 * 1024
const LIMITS = {
  entries: SKILL_LIMITS.files + 200,
  unpacked: SKILL_LIMITS.allFileBytes + MEBIBYTE,
  ratio: 200,
  unpackedFreely: MEBIBYTE,
}

/** True for files that other systems leave in archives and that are not meant to be shared. */
const isLeftover = (name: string): boolean =>
  /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|\.git\/)/.test(name)

const CENTRAL_ENTRY = 0x02_01_4b_50
const END = 0x06_05_4b_50
const UNIX_LINK = 0o120_000
const UNIX_TYPE = 0o170_000

/**
 * Links are marked in the directory at the end of a zip, which reading from the front never
 * reaches: each link would become a file that contains its target path.
 */
function refuseLinks(bytes: Buffer): void {
  const from = Math.max(0, bytes.length - 66_000)
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < from || end + 22 > bytes.length || bytes.readUInt32LE(end) !== END)
    throw new ArchiveError('The archive is not a whole zip file. It was not read.')
  let at = bytes.readUInt32LE(end + 16)
  while (at + 46 <= end && bytes.readUInt32LE(at) === CENTRAL_ENTRY) {
    const mode = bytes.readUInt32LE(at + 38) >>> 16
    if ((mode & UNIX_TYPE) === UNIX_LINK)
      throw new ArchiveError('The archive holds a link to another place. It was not read.')
    if ((bytes.readUInt16LE(at + 8) & 1) === 1)
      throw new ArchiveError('The archive is protected by a password. It was not read.')
    at +=
      46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
}

async function unpack(bytes: Buffer): Promise<Map<string, Buffer>> {
  const entries = new Map<string, Buffer>()
  const reader = new ZipReader({
    limits: LIMITS,
    isWanted: (name) => !name.endsWith('/') && !isLeftover(name),
    onEntry: (name) => {
      const pieces: Buffer[] = []
      if (entries.has(name))
        throw new ArchiveError(`The archive holds "${name.slice(0, 200)}" twice. It was not read.`)
      entries.set(name, Buffer.alloc(0))
      return (piece, isLast) => {
        pieces.push(Buffer.from(piece))
        if (isLast) entries.set(name, Buffer.concat(pieces))
      }
    },
  })
  for (let at = 0; at < bytes.length; at += SLICE) {
    reader.push(bytes.subarray(at, at + SLICE), at + SLICE >= bytes.length)
    if (at % (16 * SLICE) === 0) await nextTurn()
  }
  return entries
}

/** Returns the folder of the only SKILL.md, with its slash; '' at the top level. */
function findFolder(names: readonly string[]): string {
  const found = names.filter((name) => /(^|\/)SKILL\.md$/i.test(name))
  const least = Math.min(...found.map((name) => name.split('/').length))
  const nearest = found.filter((name) => name.split('/').length === least)
  if (nearest.length === 0) throw new SkillFolderError('The archive has no SKILL.md.')
  if (nearest.length > 1)
    throw new SkillFolderError('The archive holds several skills. Import them one by one.')
  return nearest[0]!.slice(0, -'SKILL.md'.length)
}

function toText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new SkillFolderError('SKILL.md is not text in UTF-8.')
  }
}

/** Returns the files beside SKILL.md, within the limits. */
function collectFiles(entries: ReadonlyMap<string, Buffer>, folder: string): NewFile[] {
  const seen = new Set<string>()
  const files: NewFile[] = []
  for (const [name, content] of entries) {
    if (!name.startsWith(folder))
      throw new SkillFolderError(`"${name.slice(0, 200)}" lies outside of the folder of the skill.`)
    const path = name.slice(folder.length)
    if (/^SKILL\.md$/i.test(path)) continue
    if (!isSkillPath(path) || seen.has(path.toLowerCase()))
      throw new SkillFolderError(`The name "${path.slice(0, 200)}" is not one a skill may hold.`)
    if (content.length > SKILL_LIMITS.fileBytes)
      throw new SkillFolderError(`"${path.slice(0, 200)}" is larger than 1 MiB.`)
    seen.add(path.toLowerCase())
    files.push({ path, content })
  }
  if (files.length > SKILL_LIMITS.files)
    throw new SkillFolderError(`The skill has more than ${SKILL_LIMITS.files} files.`)
  return files
}

async function read(bytes: Buffer): Promise<SkillArchive> {
  refuseLinks(bytes)
  const entries = await unpack(bytes)
  const outside = [...entries.keys()].find(
    (name) => !isSkillPath(name) && !/^SKILL\.md$/i.test(name),
  )
  if (outside !== undefined)
    throw new SkillFolderError(
      `The name "${outside.slice(0, 200)}" leads out of the archive. It was not read.`,
    )
  const folder = findFolder([...entries.keys()])
  const main = [...entries].find(([name]) => /^SKILL\.md$/i.test(name.slice(folder.length)))![1]
  const text = await readSkillText(toText(main))
  if (text.content.length > SKILL_LIMITS.contentCharacters)
    throw new SkillFolderError('The instructions in SKILL.md are longer than a skill may be.')
  return {
    ...text,
    folder: folder.split('/').at(-2) ?? text.name,
    files: collectFiles(entries, folder),
  }
}

/**
 * Reads the zip of a skill's folder; throws 400 with an error message if it is invalid or
 * malicious.
 */
export async function readArchive(bytes: Buffer): Promise<SkillArchive> {
  try {
    return await read(bytes)
  } catch (error) {
    const isSaid = error instanceof ArchiveError || error instanceof SkillFolderError
    throw badRequest(isSaid ? error.message : 'The archive cannot be read as a zip file.', {
      code: 'unreadable_archive',
      cause: error,
    })
  }
}
