import { z } from '#contract/lazy-zod.ts'
import { badRequest, upstreamFailed } from '../../lib/errors.ts'
import { parseOrNull } from '../../lib/json/parse-or-null.ts'
import type { ModelSource, SourceParts } from '../downloads/find-source.ts'
import type { CudaPackage } from './cuda-packages.ts'

export interface FoundPackage extends ModelSource {
  /** Bytes on the disk; null if the registry does not state them. */
  readonly unpackedBytes: number | null
}

const DEFAULT_HOST = 'registry.npmjs.org'
/** Short form of a registry's description, which registries without it replace by the long one. */
const ACCEPT = 'application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8'

const distSchema = z.object({
  tarball: z.string(),
  integrity: z.string(),
  unpackedSize: z.int().nonnegative().optional(),
})
const descriptionSchema = z.object({
  versions: z.record(z.string(), z.object({ dist: z.unknown() })),
})

/**
 * Mirrors often repeat the archive's address at the default registry; npm takes it from the chosen
 * registry too.
 */
function toArchive(tarball: string, registry: string): string {
  const url = URL.parse(tarball)
  return url?.host === DEFAULT_HOST ? `${registry}${url.pathname}` : tarball
}

/** Returns the SHA-512 in hexadecimal form; several checksums may be listed. */
function readSha512(integrity: string): string {
  const [, digest] = /(?:^|\s)sha512-([A-Za-z\d+/]{86}==)/.exec(integrity) ?? []
  if (digest === undefined)
    throw upstreamFailed('The registry states no SHA-512 checksum for the package.')
  return Buffer.from(digest, 'base64').toString('hex')
}

/** Asks the registry for the archive of a package, its checksum and its size. */
export async function findPackage(
  { fetch, mirrors }: SourceParts,
  { name, version, fileName }: CudaPackage,
  signal: AbortSignal,
): Promise<FoundPackage> {
  const registry = mirrors[0]?.replace(/\/+$/, '')
  if (!registry) throw badRequest('No registry of packages is set. An administrator can name one.')
  const address = `${registry}/${name.replace('/', '%2f')}`
  const { status, bytes } = await fetch.fetch(address, { headers: { accept: ACCEPT } }, signal)
  const description = descriptionSchema.safeParse(parseOrNull(bytes.toString('utf8'))).data
  const dist = distSchema.safeParse(description?.versions[version]?.dist).data
  if (status !== 200 || !dist)
    throw upstreamFailed(`The registry does not have version ${version} of ${name}.`)
  return {
    addresses: [toArchive(dist.tarball, registry)],
    fileName,
    bytes: null,
    sha256: null,
    sha512: readSha512(dist.integrity),
    unpackedBytes: dist.unpackedSize ?? null,
  }
}
