import path from 'node:path'
import { findNamedFile, type Downloads, type Engine } from '../../engine/index.ts'
import { badRequest, unavailable } from '../../lib/errors.ts'
import type { Route } from '../../lib/http.ts'
import type { Logger } from '../../lib/logger.ts'
import type { AudioSettings } from '../audio-settings.ts'
import type { Recording } from '../engines/transcription-call.ts'
import { toModelLanguage } from './languages.ts'
import { fitsHere, HUB, listOffers, toFileName } from './offered-models.ts'
import { createLocalSpeechRoutes } from './routes.ts'
import { SpeechHost } from './speech-host.ts'
import { SpeechLibrary, type SpeechModelEntry } from './speech-library.ts'

export interface LocalSpeechDependencies {
  readonly settings: AudioSettings
  readonly dataDir: string
  readonly engine: Engine
  readonly log: Logger
}

/** Transcribes speech on the gateway's computer, with a model downloaded on request. */
export class LocalSpeech {
  readonly routes: readonly Route[]
  readonly host: SpeechHost
  readonly #settings: AudioSettings
  readonly #library: SpeechLibrary
  readonly #downloads: Downloads

  constructor({ settings, dataDir, engine, log }: LocalSpeechDependencies) {
    this.#settings = settings
    this.host = new SpeechHost(log)
    this.#library = new SpeechLibrary(path.join(dataDir, 'speech-models'), (name) =>
      this.#useFirst(name),
    )
    const folder = path.join(dataDir, 'speech-downloads')
    this.#downloads = engine.openDownloads({
      library: this.#library,
      folder,
      find(parts, name, signal) {
        if (!listOffers().some((offer) => offer.name === name))
          throw badRequest(`There is no speech model "${name}" to download.`)
        return findNamedFile(parts, { ...HUB, file: toFileName(name) }, signal)
      },
    })
    this.routes = createLocalSpeechRoutes({
      settings,
      library: this.#library,
      downloads: this.#downloads,
      host: this.host,
      uploadFolder: folder,
    })
  }

  /**
   * Resolves with true if recordings are transcribed locally: if `local` is selected, or no engine
   * is and the local model is usable.
   */
  async listens(): Promise<boolean> {
    const engine = this.#settings.get('AUDIO_STT_ENGINE')
    if (engine !== '') return engine === 'local'
    return (await this.#chosen())?.problem === null
  }

  /** Resolves with the transcript of a recording. */
  async transcribe(recording: Recording, signal: AbortSignal): Promise<string> {
    const model = await this.#requireModel()
    const language = this.#languageOf(recording, model)
    return this.host.transcribe({ model: model.file, recording: recording.path, language }, signal)
  }

  async close(): Promise<void> {
    this.host.close()
    await this.#downloads.close()
  }

  #chosen(): Promise<SpeechModelEntry | null> {
    return this.#library.find(this.#settings.get('WHISPER_MODEL'))
  }

  async #requireModel(): Promise<SpeechModelEntry> {
    const model = await this.#chosen()
    if (!model)
      throw badRequest(
        `The speech model "${this.#settings.get('WHISPER_MODEL')}" is not on the gateway’s computer. An administrator can download it in the settings of voice.`,
        { code: 'no_speech_model' },
      )
    if (model.problem !== null) throw unavailable(model.problem, { code: 'speech_engine_failed' })
    if (!fitsHere(model.bytes))
      throw unavailable(
        'The gateway’s computer has too little memory for its speech model. An administrator can choose a smaller one.',
        { code: 'speech_engine_failed' },
      )
    return model
  }

  #languageOf({ language }: Recording, { info }: SpeechModelEntry): string {
    if (language === null) return info?.isMultilingual === false ? 'en' : 'auto'
    const word = toModelLanguage(language)
    if (word === null || (info?.isMultilingual === false && word !== 'en'))
      throw badRequest(`The speech model does not know the language "${language}".`, {
        code: 'invalid_language',
      })
    return word
  }

  /** Selects an added model, unless the selected one is present. */
  async #useFirst(name: string): Promise<void> {
    if (await this.#chosen()) return
    await this.#settings.update({ WHISPER_MODEL: name })
  }
}
