import { freemem, totalmem } from 'node:os'
import { mkdir, statfs } from 'node:fs/promises'
import type { EngineState, LocalModel } from '#contract/engine.ts'
import { endpoints } from '#contract/endpoints.ts'
import { badRequest, conflict, unsupportedType } from '../lib/errors.ts'
import { httpRoute, route, type Route } from '../lib/http.ts'
import type { CudaSupport } from './cuda/cuda-support.ts'
import type { Downloads } from './downloads/downloads.ts'
import { saveUpload } from './downloads/save-upload.ts'
import { parameterSize, taskOf, type ModelEntry } from './library/model-entry.ts'
import { isFileName, toModelName } from './library/find-models.ts'
import type { ModelLibrary } from './library/model-library.ts'
import { fitsHere, listOffers, memoryOf } from './library/offered-models.ts'
import { findFolders } from './library/other-folders.ts'
import { GgufFault } from './library/read-gguf.ts'

interface RouteParts {
  readonly library: ModelLibrary
  readonly downloads: Downloads
  readonly cuda: CudaSupport
  readonly uploadFolder: string
  readonly isOn: () => boolean
  readonly namedFolders: () => readonly string[]
}

const describe = ({ name, bytes, owner, problem, info }: ModelEntry): LocalModel => ({
  name,
  title: info?.name ?? null,
  bytes,
  memory: memoryOf(bytes),
  fits: fitsHere(bytes),
  task: info && taskOf(info),
  parameters: info && parameterSize(info),
  quantization: info?.quantization ?? null,
  license: info?.license ?? null,
  context_length: info?.contextLength ?? null,
  owner,
  problem,
})

async function freeSpace(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true })
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

async function readState(parts: RouteParts): Promise<EngineState> {
  const { library, downloads, isOn, namedFolders } = parts
  return {
    enabled: isOn(),
    folder: library.folder,
    memory: { total: totalmem(), free: freemem() },
    disk_free: await freeSpace(library.folder),
    models: (await library.list()).map(describe),
    downloads: await downloads.list(),
    offered: listOffers(),
    folders: await findFolders(namedFolders()),
    cuda: await parts.cuda.describe(),
  }
}

/** An invalid model file is an error of the caller. */
const toCallerFault = (error: unknown): unknown =>
  error instanceof GgufFault ? badRequest(error.message) : error

export function createEngineRoutes(parts: RouteParts): Route[] {
  const table = endpoints.engine
  const { library, downloads, cuda, uploadFolder } = parts
  const withDownload = async (id: string): Promise<Downloads> =>
    (await cuda.downloads.has(id)) ? cuda.downloads : downloads
  return [
    route(table.state, () => readState(parts)),
    route(table.download, ({ body, signal }) => downloads.start(body.source, signal)),
    route(table.pause, async ({ params }) => {
      await (await withDownload(params.id)).pause(params.id)
      return true as const
    }),
    route(table.resume, async ({ params }) => {
      await (await withDownload(params.id)).resume(params.id)
      return true as const
    }),
    route(table.cancel, async ({ params }) => {
      await (await withDownload(params.id)).cancel(params.id)
      return true as const
    }),
    httpRoute(table.upload, async ({ query: { filename }, request, signal, confirm }) => {
      if (!isFileName(filename))
        throw badRequest(
          'The name of the file may contain letters, digits, dots and dashes, and ends with ".gguf".',
        )
      if (!/^application\/octet-stream\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
        throw unsupportedType('Send the file itself with "Content-Type: application/octet-stream".')
      if (await library.find(toModelName(filename)))
        throw conflict('There is a model of this name already.')
      const { limit } = table.upload.upload
      const saved = await saveUpload(request, { folder: uploadFolder, limit, signal })
      try {
        await confirm()
        return describe(await library.take(saved.file, filename))
      } catch (error) {
        throw toCallerFault(error)
      } finally {
        await saved.remove()
      }
    }),
    route(table.remove, async ({ params }) => {
      await library.remove(params.name)
      return true as const
    }),
    route(table.cudaOffer, ({ signal }) => cuda.offer(signal)),
    route(table.cudaDownload, async ({ signal }) => {
      await cuda.download(signal)
      return true as const
    }),
    route(table.cudaRemove, async () => {
      await cuda.remove()
      return true as const
    }),
  ]
}
