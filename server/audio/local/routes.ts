import { mkdir, statfs } from 'node:fs/promises'
import { freemem, totalmem } from 'node:os'
import { audioEndpoints, type LocalSpeech, type SpeechModel } from '#contract/audio.ts'
import { saveUpload, type Downloads } from '../../engine/index.ts'
import { badRequest, conflict, notFound, unsupportedType } from '../../lib/errors.ts'
import { httpRoute, route, type HttpCall, type Route } from '../../lib/http.ts'
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

async function freeSpace(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true })
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

async function readState(parts: RouteParts): Promise<LocalSpeech> {
  const { library, downloads } = parts
  return {
    memory: { total: totalmem(), free: freemem() },
    disk_free: await freeSpace(library.folder),
    slow: process.arch === 'x64',
    models: (await library.list()).map((entry) => describe(parts, entry)),
    downloads: await downloads.list(),
    offered: listOffers(),
  }
}

async function receive(
  parts: RouteParts,
  { query: { filename }, request, signal, confirm }: HttpCall<typeof audioEndpoints.localUpload>,
): Promise<SpeechModel> {
  const { library, uploadFolder } = parts
  const name = toName(filename)
  if (name === null)
    throw badRequest(
      'The name of the file may contain letters, digits, dots and dashes, and ends with ".bin".',
    )
  if (!/^application\/octet-stream\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    throw unsupportedType('Send the file itself with "Content-Type: application/octet-stream".')
  if (await library.find(name)) throw conflict('There is a speech model of this name already.')
  const { limit } = audioEndpoints.localUpload.upload
  const saved = await saveUpload(request, { folder: uploadFolder, limit, signal })
  try {
    await confirm()
    return describe(parts, await library.take(saved.file, filename))
  } finally {
    await saved.remove()
  }
}

export function createLocalSpeechRoutes(parts: RouteParts): Route[] {
  const { settings, library, downloads, host } = parts
  return [
    route(audioEndpoints.localState, () => readState(parts)),
    route(audioEndpoints.localDownload, ({ body, signal }) => downloads.start(body.name, signal)),
    route(audioEndpoints.localPause, async ({ params }) => {
      await downloads.pause(params.id)
      return true as const
    }),
    route(audioEndpoints.localResume, async ({ params }) => {
      await downloads.resume(params.id)
      return true as const
    }),
    route(audioEndpoints.localCancel, async ({ params }) => {
      await downloads.cancel(params.id)
      return true as const
    }),
    httpRoute(audioEndpoints.localUpload, (call) => receive(parts, call)),
    route(audioEndpoints.localUse, async ({ params }) => {
      const entry = await library.find(params.name)
      if (!entry) throw notFound(`There is no speech model "${params.name}".`)
      await settings.update({ WHISPER_MODEL: entry.name })
      return true as const
    }),
    route(audioEndpoints.localRemove, async ({ params }) => {
      // Some systems cannot delete a file that is mapped into memory.
      host.rest()
      await library.remove(params.name)
      return true as const
    }),
  ]
}
