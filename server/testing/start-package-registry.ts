import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Header } from 'tar'
import { startModelHub, type ModelHub } from './start-model-hub.ts'

/** Entry of an archive; a plain file unless it links to something. */
export interface ArchiveEntry {
  readonly path: string
  readonly content?: string
  readonly linksTo?: string
  readonly type?: 'SymbolicLink' | 'Link'
}

const BLOCK = 512

function toBlocks({ path, content = '', linksTo, type }: ArchiveEntry): Buffer {
  const bytes = Buffer.from(content)
  const blocks = Buffer.alloc(BLOCK + Math.ceil(bytes.length / BLOCK) * BLOCK)
  new Header({
    path,
    mode: 0o644,
    size: bytes.length,
    type: type ?? 'File',
    ...(linksTo !== undefined && { linkpath: linksTo }),
  }).encode(blocks, 0)
  bytes.copy(blocks, BLOCK)
  return blocks
}

/** Packs entries as npm does, whatever their paths are. */
export const packArchive = (entries: readonly ArchiveEntry[]): Buffer =>
  gzipSync(Buffer.concat([...entries.map(toBlocks), Buffer.alloc(2 * BLOCK)]))

/** An npm registry on loopback, whose archives are served by a hub that misbehaves on request. */
export interface PackageRegistry {
  readonly url: string
  /** Paths of the descriptions that were asked for. */
  readonly asked: string[]
  /** Server of the archive of each package. */
  readonly hubs: ReadonlyMap<string, ModelHub>
  /** False checksum for all packages; null for the true ones. */
  integrity: string | null
  close(): Promise<void>
}

export interface ServedPackage {
  readonly name: string
  readonly version: string
  readonly archive: Buffer
}

export async function startPackageRegistry(
  packages: readonly ServedPackage[],
): Promise<PackageRegistry> {
  const hubs = new Map<string, ModelHub>()
  for (const { name, archive } of packages) hubs.set(name, await startModelHub(archive))
  const sums = new Map(
    packages.map(({ name, archive }) => [
      name,
      `sha512-${createHash('sha512').update(archive).digest('base64')}`,
    ]),
  )
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    asked.push(path)
    const found = packages.find(({ name }) => path === `/${name}`)
    if (!found) return void response.writeHead(404).end('{}')
    const dist = {
      tarball: `${hubs.get(found.name)!.url}/archive.tgz`,
      integrity: registry.integrity ?? sums.get(found.name),
      unpackedSize: 1_000_000,
    }
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ versions: { [found.version]: { dist } } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const registry: PackageRegistry = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    hubs,
    integrity: null,
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      for (const hub of hubs.values()) await hub.close()
    },
  }
  return registry
}
