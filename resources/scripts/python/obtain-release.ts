import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, readlink, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { capture } from '../run-step.ts'
import { archiveName, archiveUrl, type Release } from './targets.ts'

const DOWNLOAD_MILLISECONDS = 15 * 60_000

/**
 * Returns the folder for downloads, which is outside the tree, so that a fresh clone does not fetch
 * them again.
 */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const base =
    process.platform === 'win32' ? environment['LOCALAPPDATA'] : environment['XDG_CACHE_HOME']
  return path.join(base || path.join(homedir(), '.cache'), 'chat-gateway', 'python')
}

/** Resolves with true if a file exists and has the expected hash. */
async function isRight(file: string, sha256: string): Promise<boolean> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(file), hash)
  } catch {
    return false
  }
  return hash.digest('hex') === sha256
}

/** Downloads a file unless it exists; rejects other content. */
export async function download(url: string, file: string, sha256: string): Promise<void> {
  if (await isRight(file, sha256)) return
  await mkdir(path.dirname(file), { recursive: true })
  const part = `${file}.${process.pid}.part`
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_MILLISECONDS) })
    if (!answer.ok || !answer.body) throw new Error(`${url} answered ${answer.status}.`)
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), createWriteStream(part))
    if (!(await isRight(part, sha256)))
      throw new Error(`${url} is not what it has to be: its SHA-256 differs.`)
    await rename(part, file)
  } finally {
    await rm(part, { force: true })
  }
}

/** Returns the links in a folder that lead out of it, relative to it. */
export async function findEscapes(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const links = entries
    .filter((entry) => entry.isSymbolicLink())
    .map((entry) => path.join(entry.parentPath, entry.name))
  const targets = await Promise.all(
    links.map(async (link) => path.resolve(path.dirname(link), await readlink(link))),
  )
  return links
    .filter((_, index) => !targets[index]!.startsWith(folder + path.sep))
    .map((link) => path.relative(folder, link))
}

/** Extracts the folder `python` of an archive to the given folder. */
async function unpack(archive: string, folder: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true })
  const scratch = await mkdtemp(`${folder}-`)
  try {
    // By default, tar extracts neither absolute paths nor paths with `..`.
    const { code, output } = await capture('tar', ['-xzf', archive, '-C', scratch])
    if (code !== 0) throw new Error(`${archive} could not be unpacked: ${output}`)
    const escapes = await findEscapes(scratch)
    if (escapes.length > 0)
      throw new Error(`${archive} leads out of its folder: ${escapes.join(', ')}`)
    await rename(path.join(scratch, 'python'), folder)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/**
 * Places the released Python in a folder that does not exist yet, from the cache or from its
 * official site.
 */
export async function obtainRelease(release: Release, folder: string): Promise<void> {
  const archive = path.join(cacheFolder(), archiveName(release))
  try {
    await download(archiveUrl(release), archive, release.sha256)
  } catch (error) {
    const way = 'PYTHON_OVERRIDE_DIST_PATH can name a folder with a Python laid out the same way.'
    throw new Error(`The Python of the package could not be obtained. ${way}`, { cause: error })
  }
  await unpack(archive, folder)
}
