import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Engine } from '../engine/index.ts'
import type { Groups } from '../groups/index.ts'
import type { Route } from '../lib/http.ts'
import type { Logger } from '../lib/logger.ts'
import type { Users } from '../users/index.ts'
import { isOffline } from '../settings/index.ts'
import type { AudioSettings } from './audio-settings.ts'
import { CallBounds } from './call-bounds.ts'
import { AudioClient } from './engines/audio-client.ts'
import type { StoredFile } from './engines/form-body.ts'
import { LocalSpeech } from './local/local-speech.ts'
import { createAudioRoutes, type AudioRouteParts } from './routes.ts'
import { SpeechCache } from './speech-cache.ts'
import { takesName, takesType, transcribe } from './transcribe.ts'

/** Dependencies of the domain. */
export interface AudioDependencies {
  readonly settings: AudioSettings
  readonly groups: Groups
  readonly users: Users
  readonly dataDir: string
  /** Downloads requested speech models, from the same sources as other models. */
  readonly engine: Engine
  readonly log: Logger
}

const MEGABYTE = 1_000_000

/** Text to speech and speech to text. */
export class Audio {
  readonly routes: readonly Route[]
  readonly local: LocalSpeech
  readonly #parts: AudioRouteParts
  readonly #dependencies: AudioDependencies

  constructor(dependencies: AudioDependencies) {
    const { settings, dataDir } = dependencies
    this.#dependencies = dependencies
    this.local = new LocalSpeech(dependencies)
    this.#parts = {
      settings,
      local: this.local,
      client: new AudioClient({ isOffline: () => isOffline(settings) }),
      bounds: new CallBounds(settings),
      cache: new SpeechCache(() => settings.get('AUDIO_CACHE_SIZE') * MEGABYTE),
      temporaryFolder: path.join(dataDir, 'recordings'),
    }
    this.routes = [...createAudioRoutes(this.#parts), ...this.local.routes]
  }

  /** Deletes temporary recordings left behind by a crash. */
  async tidy(): Promise<void> {
    await rm(this.#parts.temporaryFolder, { recursive: true, force: true })
  }

  /** Reports whether such a file can be transcribed and its owner has the permission. */
  async takes(userId: string, filename: string, contentType: string | null): Promise<boolean> {
    const { settings, groups, users } = this.#dependencies
    if (contentType === null) return false
    if (!takesName(settings, filename) || !takesType(settings, contentType)) return false
    const hasEngine = settings.get('AUDIO_STT_ENGINE') !== '' || (await this.local.listens())
    if (!hasEngine) return false
    const owner = await users.get(userId)
    if (!owner) return false
    return owner.role === 'admin' || groups.allows({ userId, role: owner.role }, 'chat.stt')
  }

  /** Transcribes a stored file. */
  transcribe(
    file: StoredFile,
    who: { readonly userId: string; readonly signal: AbortSignal },
  ): Promise<string> {
    return transcribe(this.#parts, { ...file, language: null }, who)
  }

  async close(): Promise<void> {
    await this.local.close()
    await this.#parts.client.close()
  }
}
