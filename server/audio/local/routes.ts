import { audioEndpoints, type LocalSpeech, type SpeechModel } from '#contract/audio.ts'
import { measureSpace, receiveModelFile, type Downloads } from '../../engine/index.ts'
import { notFound } from '../../lib/errors.ts'
import { httpRoute, route, type Route } from '../../lib/http.ts'
import type { AudioSettings } from '../audio-settings.ts'
import { fitsHere, listOffers, memoryOf, toName } from './offered-models.ts'
import type { SpeechHost } from './speech-host.ts'
import type { SpeechLibrary, SpeechModelEntry } from './speech-library.ts'

interface RouteParts {
  readonly settings: AudioSettings
  readonly library: SpeechLibrary
  readonly downloads: Downloads
  readonly host: SpeechHost
  readonly uploadFolder: string
}

const describe = (
  { settings }: RouteParts,
  { name, bytes, info, problem }: SpeechModelEntry,
): SpeechModel => ({
  name,
  bytes,
  memory: memoryOf(bytes),
  fits: fitsHere(bytes),
  multilingual: info?.isMultilingual ?? null,
  used: name === settings.get('WHISPER_MODEL'),
  problem,
})

async function readState(parts: RouteParts): Promise<LocalSpeech> {
  const { library, downloads } = parts
  return {
    ...(await measureSpace(library.folder)),
    slow: process.arch === 'x64',
    models: (await library.list()).map((entry) => describe(parts, entry)),
    downloads: await downloads.list(),
    offered: listOffers(),
  }
}

export function createLocalSpeechRoutes(parts: RouteParts): Route[] {
  const { settings, library, downloads, host } = parts
  const { localUpload } = audioEndpoints
  return [
    route(audioEndpoints.localState, () => readState(parts)),
    route(audioEndpoints.localDownload, ({ body, signal }) => downloads.start(body.name, signal)),
    route(audioEndpoints.localPause, ({ params }) => downloads.pause(params.id)),
    route(audioEndpoints.localResume, ({ params }) => downloads.resume(params.id)),
    route(audioEndpoints.localCancel, ({ params }) => downloads.cancel(params.id)),
    httpRoute(localUpload, (call) => {
      const { filename } = call.query
      return receiveModelFile(call, {
        noun: 'speech model',
        folder: parts.uploadFolder,
        limit: localUpload.upload.limit,
        ending: '.bin',
        name: toName(filename),
        isTaken: async (name) => (await library.find(name)) !== null,
        take: async (file) => describe(parts, await library.take(file, filename)),
      })
    }),
    route(audioEndpoints.localUse, async ({ params }) => {
      const entry = await library.find(params.name)
      if (!entry) throw notFound(`There is no speech model "${params.name}".`)
      await settings.update({ WHISPER_MODEL: entry.name })
    }),
    route(audioEndpoints.localRemove, async ({ params }) => {
      // Some systems cannot delete a file that is mapped into memory.
      host.rest()
      await library.remove(params.name)
    }),
  ]
}
