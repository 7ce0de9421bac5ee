import { toWav } from './to-wav.ts'

/** Reason the microphone is unavailable. */
export type MicrophoneFault = 'refused' | 'missing' | 'insecure' | 'other'

export class MicrophoneError extends Error {
  override readonly name = 'MicrophoneError'
  readonly fault: MicrophoneFault

  constructor(fault: MicrophoneFault, cause?: unknown) {
    super(`The microphone is not there: ${fault}.`, { cause })
    this.fault = fault
  }
}

function toFault(thrown: unknown): MicrophoneFault {
  const name = thrown instanceof DOMException ? thrown.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused'
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'missing' : 'other'
}

const TYPES = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus', 'audio/webm']
const ENDINGS: Readonly<Record<string, string>> = {
  'audio/webm': 'webm',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
}
const SAMPLES = 1024

/** A recording in the form it is sent. */
export interface Recording {
  readonly blob: Blob
  readonly filename: string
}

/** Older versions of Safari record AAC only, which speech models on the gateway cannot decode. */
async function toRecording(blob: Blob): Promise<Recording> {
  const wav = blob.type === 'audio/mp4' ? await toWav(blob) : null
  if (wav) return { blob: wav, filename: 'recording.wav' }
  return { blob, filename: `recording.${ENDINGS[blob.type] ?? 'webm'}` }
}

/** An open microphone, with its level and recordings. */
export class Microphone {
  readonly #stream: MediaStream
  readonly #context: AudioContext
  readonly #analyser: AnalyserNode
  readonly #samples = new Float32Array(SAMPLES)
  #recorder: MediaRecorder | null = null
  #pieces: Blob[] = []

  /** Opens the microphone; the browser asks for permission the first time. */
  static async open(): Promise<Microphone> {
    if (!navigator.mediaDevices?.getUserMedia) throw new MicrophoneError('insecure')
    try {
      const stream = await navigator.mediaDevices.getUserMedia({
        audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
      })
      return new Microphone(stream)
    } catch (thrown) {
      throw new MicrophoneError(toFault(thrown), thrown)
    }
  }

  private constructor(stream: MediaStream) {
    this.#stream = stream
    this.#context = new AudioContext()
    this.#analyser = this.#context.createAnalyser()
    this.#analyser.fftSize = SAMPLES
    this.#context.createMediaStreamSource(stream).connect(this.#analyser)
    void this.#context.resume()
  }

  /** Returns the current loudness, from 0 to 1. */
  level(): number {
    this.#analyser.getFloatTimeDomainData(this.#samples)
    let sum = 0
    for (const sample of this.#samples) sum += sample * sample
    return Math.min(1, Math.sqrt(sum / SAMPLES))
  }

  mute(isMuted: boolean): void {
    for (const track of this.#stream.getAudioTracks()) track.enabled = !isMuted
  }

  /** Starts a recording; discards one in progress. */
  record(): void {
    this.#forget()
    const type = TYPES.find((each) => MediaRecorder.isTypeSupported(each))
    const recorder = new MediaRecorder(this.#stream, type === undefined ? {} : { mimeType: type })
    const pieces: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data))
    this.#pieces = pieces
    this.#recorder = recorder
    recorder.start()
  }

  /** Stops the current recording and resolves with it. */
  take(): Promise<Recording> {
    const recorder = this.#recorder
    const pieces = this.#pieces
    this.#recorder = null
    if (!recorder) return Promise.reject(new MicrophoneError('other'))
    return new Promise((resolve) => {
      recorder.addEventListener(
        'stop',
        () => {
          const type = recorder.mimeType.split(';')[0] || 'audio/webm'
          resolve(toRecording(new Blob(pieces, { type })))
        },
        { once: true },
      )
      recorder.stop()
    })
  }

  /** Releases the microphone. */
  close(): void {
    if (this.#context.state === 'closed') return
    this.#forget()
    for (const track of this.#stream.getTracks()) track.stop()
    void this.#context.close()
  }

  #forget(): void {
    const recorder = this.#recorder
    this.#recorder = null
    if (recorder && recorder.state !== 'inactive') recorder.stop()
  }
}
