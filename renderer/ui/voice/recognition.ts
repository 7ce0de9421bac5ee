import { desktop } from '../../lib/desktop.ts'

interface Result {
  readonly isFinal: boolean
  readonly 0: { readonly transcript: string }
}

/** The subset of SpeechRecognition that is used. */
interface Recognition extends EventTarget {
  continuous: boolean
  interimResults: boolean
  lang: string
  start(): void
  stop(): void
  abort(): void
}

type RecognitionClass = new () => Recognition

function findRecognition(): RecognitionClass | null {
  // The desktop window defines the class but has no service behind it.
  if (desktop !== undefined || typeof window === 'undefined') return null
  const names = window as unknown as Readonly<Record<string, RecognitionClass | undefined>>
  return names['SpeechRecognition'] ?? names['webkitSpeechRecognition'] ?? null
}

export const hasRecognition = (): boolean => findRecognition() !== null

/** A dictation by the browser in progress. */
export interface Dictation {
  /** Stops listening; the text follows. */
  readonly stop: () => void
  readonly cancel: () => void
  /**
   * Recognised text, once it has ended; empty if none was recognised. Rejects with the browser's
   * error code.
   */
  readonly words: Promise<string>
}

/** Listens with the browser's speech recognition; `onWords` receives interim results. */
export function dictate(language: string, onWords: (words: string) => void): Dictation {
  const Recognizer = findRecognition()
  if (!Recognizer) throw new Error('This browser does not recognise speech.')
  const recognition = new Recognizer()
  recognition.continuous = true
  recognition.interimResults = true
  recognition.lang = language
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let heard = ''
  recognition.addEventListener('result', (event) => {
    const { results } = event as Event & { readonly results: Iterable<Result> }
    heard = [...results].map((result) => result[0].transcript).join('')
    onWords(heard)
  })
  recognition.addEventListener('error', (event) => {
    const { error } = event as Event & { readonly error: string }
    if (error === 'no-speech' || error === 'aborted') resolve('')
    else reject(new Error(error))
  })
  recognition.addEventListener('end', () => resolve(heard.trim()))
  recognition.start()
  return {
    stop: () => recognition.stop(),
    cancel: () => {
      heard = ''
      recognition.abort()
    },
    words: promise,
  }
}
