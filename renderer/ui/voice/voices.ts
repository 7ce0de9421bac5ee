import { callRaw, endpoints } from '../../api/client.ts'
import { toSpeakingUrl } from './speaking-url.ts'
import type { VoiceChoice } from './voice-choice.ts'

/** A sentence ready for playback. */
export interface ReadySentence {
  /** Resolves when it was spoken, or the signal ended it. */
  readonly play: (signal: AbortSignal) => Promise<void>
  /** Releases its resources. */
  readonly discard: () => void
}

/** Prepares a text for playback. */
export type Voice = (text: string, signal: AbortSignal) => Promise<ReadySentence>

function playElement(audio: HTMLAudioElement, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      audio.pause()
      resolve()
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    audio.addEventListener('ended', stop, { once: true })
    audio.addEventListener('error', () => reject(new Error('The sound cannot be played.')), {
      once: true,
    })
    audio.play().catch(reject)
  })
}

/** Voice of the gateway's engine. */
export const gatewayVoice =
  ({ voice, speed }: Pick<VoiceChoice, 'voice' | 'speed'>): Voice =>
  async (text, signal) => {
    const body = { input: text, ...(voice !== '' && { voice }) }
    const reply = await callRaw(endpoints.audio.speech, { body }, { signal })
    const { url, discard } = toSpeakingUrl(await reply.blob())
    const audio = new Audio(url)
    audio.preservesPitch = true
    audio.playbackRate = speed
    return { play: (ending) => playElement(audio, ending), discard }
  }

export const hasDeviceVoices = (): boolean => typeof window.speechSynthesis !== 'undefined'

/** Resolves with the voices of the device, once they are available. */
export function listDeviceVoices(): Promise<readonly SpeechSynthesisVoice[]> {
  if (!hasDeviceVoices()) return Promise.resolve([])
  const { speechSynthesis } = window
  const known = speechSynthesis.getVoices()
  if (known.length > 0) return Promise.resolve(known)
  return new Promise((resolve) => {
    const answer = (): void => resolve(speechSynthesis.getVoices())
    speechSynthesis.addEventListener('voiceschanged', answer, { once: true })
    setTimeout(answer, LIST_MILLISECONDS)
  })
}
const LIST_MILLISECONDS = 1500

/** Voice of the device. */
export const deviceVoice =
  ({ deviceVoice: wanted, speed }: Pick<VoiceChoice, 'deviceVoice' | 'speed'>): Voice =>
  async (text) => {
    const voices = await listDeviceVoices()
    const utterance = new SpeechSynthesisUtterance(text)
    utterance.voice = voices.find(({ voiceURI }) => voiceURI === wanted) ?? null
    utterance.rate = speed
    return {
      play: (signal) =>
        new Promise((resolve, reject) => {
          const stop = (): void => {
            window.speechSynthesis.cancel()
            resolve()
          }
          if (signal.aborted) return resolve()
          signal.addEventListener('abort', stop, { once: true })
          utterance.addEventListener('end', () => resolve(), { once: true })
          utterance.addEventListener('error', ({ error }) =>
            error === 'canceled' || error === 'interrupted'
              ? resolve()
              : reject(new Error(`The device did not speak (${error}).`)),
          )
          window.speechSynthesis.speak(utterance)
        }),
      discard: () => undefined,
    }
  }

/** Returns what reads aloud by the user's choice; null if nothing is available. */
export function speakingWay(
  { speaks }: Pick<VoiceChoice, 'speaks'>,
  engineSpeaks: boolean,
): VoiceChoice['speaks'] | null {
  if (engineSpeaks && (speaks === 'gateway' || !hasDeviceVoices())) return 'gateway'
  return hasDeviceVoices() ? 'device' : null
}

/** Returns the voice for the user's choice; null if none is available. */
export function chooseSpeaker(choice: VoiceChoice, engineSpeaks: boolean): Voice | null {
  const way = speakingWay(choice, engineSpeaks)
  if (way === null) return null
  return way === 'gateway' ? gatewayVoice(choice) : deviceVoice(choice)
}
