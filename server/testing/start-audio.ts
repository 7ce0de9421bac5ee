import { onTestFinished } from 'vitest'
import type { AudioConfig } from '#contract/audio.ts'
import { startAudioEngine } from './start-audio-engine.ts'
import { startLibrary } from './start-library.ts'
import { writeTone } from './write-tone.ts'

export interface SentRecording {
  readonly filename?: string
  readonly type?: string
  readonly bytes?: Buffer
  readonly field?: string
  readonly language?: string
}

/**
 * Starts a gateway whose speech and transcripts come from a scripted server, which ends with the
 * test.
 */
export async function startAudio(
  changes: { tts?: Partial<AudioConfig['tts']>; stt?: Partial<AudioConfig['stt']> } = {},
  environment: Readonly<Record<string, string>> = {},
) {
  const engine = await startAudioEngine()
  onTestFinished(() => engine.close())
  const library = await startLibrary({ ELEVENLABS_API_BASE_URL: engine.url, ...environment })
  const { call, server, tokens } = library
  const configure = async (more: typeof changes) => {
    const { body } = await call('admin', 'audio/config')
    const sent = { tts: { ...body.tts, ...more.tts }, stt: { ...body.stt, ...more.stt } }
    return call('admin', 'audio/config/update', { body: sent })
  }
  const { status, body } = await configure({
    tts: {
      ENGINE: 'openai',
      OPENAI_API_BASE_URL: `${engine.url}/v1`,
      OPENAI_API_KEY: 'sk-speech',
      API_KEY: 'sk-vendor',
      AZURE_SPEECH_BASE_URL: engine.url,
      ...changes.tts,
    },
    stt: {
      ENGINE: 'openai',
      OPENAI_API_BASE_URL: `${engine.url}/v1`,
      OPENAI_API_KEY: 'sk-text',
      MODEL: 'listens-1',
      ...changes.stt,
    },
  })
  if (status !== 200) throw new Error(`The configuration was refused: ${JSON.stringify(body)}`)
  type Name = keyof typeof tokens
  return {
    ...library,
    engine,
    configure,
    /** Returns the response to a speech request as a stream. */
    speak: (fields: object, name: Name = 'owner', signal?: AbortSignal): Promise<Response> =>
      fetch(`${server.url}/api/v1/audio/speech`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${tokens[name]}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(fields),
        ...(signal && { signal }),
      }),
    transcribe: (recording: SentRecording = {}, name: Name = 'owner'): Promise<Response> => {
      const { bytes = writeTone(), type = 'audio/wav', filename = 'memo.wav' } = recording
      const form = new FormData()
      form.append(recording.field ?? 'file', new Blob([new Uint8Array(bytes)], { type }), filename)
      if (recording.language !== undefined) form.append('language', recording.language)
      return fetch(`${server.url}/api/v1/audio/transcriptions`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${tokens[name]}` },
        body: form,
      })
    },
  }
}
