import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { ReadEntry } from 'tar'
import { badRequest, diskFull } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { CudaPackage } from './cuda-packages.ts'

const MOST_FILES = 500
const LARGEST = 4 * 1024 ** 3
/** Paths of a package, without any segment that leads elsewhere. */
const PATH = /^package(\/[\w@+-][\w@.+-]*)+\/?$/
const TYPES: ReadonlySet<string> = new Set(['File', 'OldFile', 'Directory'])

/** Checks each entry of an archive, and counts files and bytes over all of them. */
class EntryCheck {
  #files = 0
  #bytes = 0
  #isClean = true

  /** True until an entry was not accepted. */
  get isClean(): boolean {
    return this.#isClean
  }

  accept({ path: name, type, size }: ReadEntry): boolean {
    this.#files += 1
    this.#bytes += size
    const isPlain = TYPES.has(type) && PATH.test(name)
    this.#isClean &&= isPlain && this.#files <= MOST_FILES && this.#bytes <= LARGEST
    return this.#isClean
  }
}

async function isPackage(folder: string, { name, version }: CudaPackage): Promise<boolean> {
  const text = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => '{}')
  const found: unknown = JSON.parse(text)
  return isRecord(found) && found['name'] === name && found['version'] === version
}

const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')

function refuse(cause?: unknown): never {
  if (isFull(cause))
    throw diskFull('The disk became full while the package was unpacked. Free some room first.')
  throw badRequest('The downloaded archive is not the expected package. It was deleted.', { cause })
}

/**
 * Unpacks an archive to a folder, which exists only once it is complete. Refuses archives with
 * links, devices, paths that lead out of the package, or the content of another package.
 */
export async function unpackPackage(
  file: string,
  target: string,
  wanted: CudaPackage,
): Promise<void> {
  const folder = path.join(path.dirname(target), `.${randomUUID()}`)
  const check = new EntryCheck()
  const { extract } = await import('tar')
  try {
    await mkdir(folder, { recursive: true })
    const unpack = extract({
      cwd: folder,
      strip: 1,
      strict: true,
      preserveOwner: false,
      filter: (_, entry) => check.accept(entry as ReadEntry),
    })
    // The library decompresses in the event loop; this stream does not.
    await pipeline(createReadStream(file), createGunzip(), unpack).catch(refuse)
    if (!check.isClean || !(await isPackage(folder, wanted).catch(refuse))) refuse()
    await rename(folder, target)
  } finally {
    // After a failure, files may still be written for a moment.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
