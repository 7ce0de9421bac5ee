import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { audioEndpoints } from '#contract/audio.ts'
import { httpRoute, route, type HttpCall, type Route } from '../lib/http.ts'
import { readMultipart } from '../lib/serving/read-multipart.ts'
import { readTranscriptForm, sendTranscript } from './answer-transcript.ts'
import { readConfig, updateConfig } from './config.ts'
import { listNames } from './engines/list-voices.ts'
import { speak, type SpeakParts } from './speak.ts'
import {
  checkName,
  checkType,
  mostRecordingBytes,
  readHints,
  readLanguage,
  recordingType,
  tooLargeRecording,
  transcribeCounted,
  type TranscribeParts,
} from './transcribe.ts'

export interface AudioRouteParts extends SpeakParts, TranscribeParts {
  /** For recordings being uploaded; emptied at startup. */
  readonly temporaryFolder: string
}

/** Returns the name of a recording as a response shows it. */
const cleanName = (filename: string): string =>
  filename
    .toWellFormed()
    .slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1)
    .replace(/\p{Cc}/gu, '')
    .slice(-255)

type Transcript = EndpointOutput<typeof audioEndpoints.transcriptions>

/** Counts a recording from its first byte on, because it takes space on the disk from then on. */
const receive = (
  parts: AudioRouteParts,
  call: HttpCall<typeof audioEndpoints.transcriptions>,
): Promise<Transcript | undefined> =>
  parts.bounds.count(call.caller.userId, () => receiveCounted(parts, call))

async function receiveCounted(
  parts: AudioRouteParts,
  call: HttpCall<typeof audioEndpoints.transcriptions>,
): Promise<Transcript | undefined> {
  const { settings, temporaryFolder } = parts
  const { request, response, signal, confirm } = call
  await mkdir(temporaryFolder, { recursive: true, mode: 0o700 })
  const { file, fields } = await readMultipart(request, response, {
    fileField: 'file',
    limit: mostRecordingBytes(settings),
    tooLarge: tooLargeRecording(settings),
    checkName: (filename) => checkName(settings, filename),
    checkType: (type, filename) => checkType(settings, recordingType(filename, type)),
    newTemporaryFile: () => path.join(temporaryFolder, `${randomUUID()}.recording`),
  })
  try {
    await confirm()
    const filename = cleanName(file.filename)
    const { path: stored, size } = file
    const type = recordingType(filename, file.type)
    const recording = { path: stored, size, type, filename }
    const language = readLanguage(fields['language'])
    const hints = readHints(fields)
    const form = readTranscriptForm(fields)
    const text = await transcribeCounted(parts, { ...recording, language, hints }, signal)
    return form === 'json' ? { text, filename } : sendTranscript(response, text, form)
  } finally {
    await rm(file.path, { force: true })
  }
}

export function createAudioRoutes(parts: AudioRouteParts): Route[] {
  const { settings } = parts
  return [
    route(audioEndpoints.config, () => readConfig(settings)),
    route(audioEndpoints.updateConfig, ({ body }) => updateConfig(settings, body)),
    httpRoute(audioEndpoints.speech, async ({ body, caller, signal, response }) => {
      await speak(parts, body, { userId: caller.userId, signal, response })
    }),
    httpRoute(audioEndpoints.transcriptions, (call) => receive(parts, call)),
    route(audioEndpoints.models, async ({ signal }) => ({
      models: await listNames(parts, 'models', signal),
    })),
    route(audioEndpoints.voices, async ({ signal }) => ({
      voices: await listNames(parts, 'voices', signal),
    })),
  ]
}
