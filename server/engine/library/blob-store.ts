import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from '#contract/lazy-zod.ts'
import type { FoundModel } from './found-model.ts'

/** Registry and owner of names that do not state them. */
const USUAL_REGISTRY = 'registry.ollama.ai'
const USUAL_OWNER = 'library'
const MODEL_LAYER = 'application/vnd.ollama.image.model'
/** A manifest has some hundred bytes; a much larger file is not one. */
const MOST_BYTES = 1_000_000
const MOST_MODELS = 2000

const manifestSchema = z.object({
  layers: z.array(
    z.object({
      mediaType: z.string(),
      // It becomes a part of a path.
      digest: z.string().regex(/^sha256:[\da-f]{64}$/),
    }),
  ),
})

async function listFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

/** Returns the path parts below `manifests`: registry, owner, model, and a file for each tag. */
async function listManifests(manifests: string): Promise<string[][]> {
  let names: string[][] = [[]]
  for (let depth = 0; depth < 3; depth += 1) {
    const deeper = names.map(async (parts) =>
      (await listFolders(path.join(manifests, ...parts))).map((name) => [...parts, name]),
    )
    names = (await Promise.all(deeper)).flat().slice(0, MOST_MODELS)
  }
  const tags = names.map(async (parts) => {
    const entries = await readdir(path.join(manifests, ...parts), { withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => [...parts, name])
  })
  return (await Promise.all(tags)).flat().slice(0, MOST_MODELS)
}

/** Returns the name as the program that owns the store spells it. */
function toName([registry, owner, model, tag]: readonly string[]): string {
  const place = [
    ...(registry === USUAL_REGISTRY ? [] : [registry]),
    ...(registry === USUAL_REGISTRY && owner === USUAL_OWNER ? [] : [owner]),
    model,
  ].join('/')
  return `${place}:${tag}`.toLowerCase()
}

async function readManifest(file: string): Promise<string | null> {
  try {
    if ((await stat(file)).size > MOST_BYTES) return null
    const { layers } = manifestSchema.parse(JSON.parse(await readFile(file, 'utf8')))
    return layers.find(({ mediaType }) => mediaType === MODEL_LAYER)?.digest ?? null
  } catch {
    // The file belongs to another program and may be half written; the other models are still
    // usable.
    return null
  }
}

/**
 * Returns the models of a folder in which weights are blobs named by their hash and manifests map
 * names to blobs; null for a folder of another kind.
 */
export async function readBlobStore(folder: string): Promise<FoundModel[] | null> {
  const folders = await listFolders(folder).catch((): string[] => [])
  if (!folders.includes('manifests') || !folders.includes('blobs')) return null
  const manifests = path.join(folder, 'manifests')
  const found: FoundModel[] = []
  for (const parts of await listManifests(manifests).catch((): string[][] => [])) {
    const digest = await readManifest(path.join(manifests, ...parts))
    if (digest === null) continue
    found.push({
      name: toName(parts),
      file: path.join(folder, 'blobs', digest.replace(':', '-')),
    })
  }
  return found.toSorted((left, right) => left.name.localeCompare(right.name))
}
