import type { EngineState, LocalModel } from '#contract/engine.ts'
import { endpoints } from '#contract/endpoints.ts'
import { badRequest } from '../lib/errors.ts'
import { httpRoute, route, type Route } from '../lib/http.ts'
import type { CudaSupport } from './cuda/cuda-support.ts'
import type { Downloads } from './downloads/downloads.ts'
import { receiveModelFile } from './downloads/receive-model-file.ts'
import { parameterSize, taskOf, type ModelEntry } from './library/model-entry.ts'
import { isFileName, toModelName } from './library/find-models.ts'
import type { ModelLibrary } from './library/model-library.ts'
import { fitsHere, listOffers, memoryOf } from './library/offered-models.ts'
import { measureSpace } from './library/measure-space.ts'
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

async function readState(parts: RouteParts): Promise<EngineState> {
  const { library, downloads, isOn, namedFolders } = parts
  return {
    enabled: isOn(),
    folder: library.folder,
    ...(await measureSpace(library.folder)),
    models: (await library.list()).map(describe),
    downloads: await downloads.list(),
    offered: listOffers(),
    folders: await findFolders(namedFolders()),
    cuda: await parts.cuda.describe(),
  }
}

/** An invalid model file is an error of the caller. */
const throwCallerFault = (error: unknown): never => {
  throw error instanceof GgufFault ? badRequest(error.message) : error
}

export function createEngineRoutes(parts: RouteParts): Route[] {
  const table = endpoints.engine
  const { library, downloads, cuda, uploadFolder } = parts
  const withDownload = async (id: string): Promise<Downloads> =>
    (await cuda.downloads.has(id)) ? cuda.downloads : downloads
  return [
    route(table.state, () => readState(parts)),
    route(table.download, ({ body, signal }) => downloads.start(body.source, signal)),
    route(table.pause, async ({ params }) => (await withDownload(params.id)).pause(params.id)),
    route(table.resume, async ({ params }) => (await withDownload(params.id)).resume(params.id)),
    route(table.cancel, async ({ params }) => (await withDownload(params.id)).cancel(params.id)),
    httpRoute(table.upload, async (call) => {
      const { filename } = call.query
      return receiveModelFile(call, {
        noun: 'model',
        folder: uploadFolder,
        limit: table.upload.upload.limit,
        ending: '.gguf',
        name: isFileName(filename) ? toModelName(filename) : null,
        isTaken: async (name) => (await library.find(name)) !== null,
        take: async (file) => describe(await library.take(file, filename).catch(throwCallerFault)),
      })
    }),
    route(table.remove, ({ params }) => library.remove(params.name)),
    route(table.cudaOffer, ({ signal }) => cuda.offer(signal)),
    route(table.cudaDownload, ({ signal }) => cuda.download(signal)),
    route(table.cudaRemove, () => cuda.remove()),
  ]
}
