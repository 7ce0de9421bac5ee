import { createHook } from 'node:async_hooks'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import type { Sound } from './decode/decode.ts'
import { SpeechFault } from './fault.ts'
import type { SpeechOrder } from './protocol.ts'

interface Segment {
  readonly text: string
}

interface Options {
  readonly language: string
  readonly maxThreads: number
}

interface Work {
  readonly promise: Promise<{ readonly segments: readonly Segment[] }>
}

interface Context {
  transcribeData(samples: ArrayBufferLike, options: Options): Work
  transcribeFile(file: string, options: Options): Work
  release(): Promise<void>
}

/** The part of the library in use; its own types are sources in another dialect of TypeScript. */
interface Library {
  loadWhisperModule(): Promise<unknown>
  initWhisper(options: { readonly filePath: string; readonly useGpu: boolean }): Promise<Context>
}

/**
 * Leaves one core to the gateway. The engine's threads spin while they wait for each other, so one
 * thread more than there are free cores makes everything many times slower.
 */
const maxThreads = Math.max(1, availableParallelism() - 1)

let loaded: { readonly file: string; readonly context: Context } | null = null

const notHere = (cause: unknown): SpeechFault =>
  new SpeechFault(
    503,
    'The engine that turns speech into text does not start on the gateway’s computer.',
    cause,
  )

/** Loads the library with the binary for this computer. */
async function openLibrary(): Promise<Library> {
  try {
    const library = createRequire(import.meta.url)('@fugood/whisper.node') as Library
    await library.loadWhisperModule()
    return library
  } catch (error) {
    throw notHere(error)
  }
}

/** Returns the loaded model; another one is released first. */
async function load({ model, usesGraphics }: SpeechOrder): Promise<Context> {
  if (loaded?.file === model) return loaded.context
  await loaded?.context.release()
  loaded = null
  const library = await openLibrary()
  try {
    const context = await library.initWhisper({ filePath: model, useGpu: usesGraphics })
    loaded = { file: model, context }
    return context
  } catch (error) {
    throw new SpeechFault(
      503,
      'The speech model cannot be loaded. Its file is damaged, or there is too little memory. Choose another one.',
      error,
    )
  }
}

/** Matches markers that models write for non-speech, such as `[BLANK_AUDIO]` or `(music)`. */
const NO_SPEECH = /^\s*(?:\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|♪.*)\s*$/

const toText = (segments: readonly Segment[]): string =>
  segments
    .map(({ text }) => text)
    .filter((text) => !NO_SPEECH.test(text))
    .join('')
    .trim()

/**
 * Settles when the library has finished. A failure on the library's thread does not reject its
 * promise, which then stays pending, but its async resource always completes; in that case this
 * rejects.
 */
async function untilDone<Value>(begin: () => Promise<Value>): Promise<Value> {
  const failed = Promise.withResolvers<never>()
  const begun = new Set<number>()
  let isBeginning = true
  const hook = createHook({
    init: (id) => void (isBeginning && begun.add(id)),
    after(id) {
      if (begun.has(id)) setImmediate(() => failed.reject(new Error('The library failed.')))
    },
  }).enable()
  try {
    const work = begin()
    isBeginning = false
    return await Promise.race([work, failed.promise])
  } finally {
    hook.disable()
  }
}

/** Transcribes a recording. */
export async function recognize(order: SpeechOrder, sound: Sound): Promise<string> {
  const context = await load(order)
  const options = { language: order.language, maxThreads }
  try {
    const { segments } = await untilDone(() => {
      const { promise } =
        'samples' in sound
          ? context.transcribeData(sound.samples.buffer, options)
          : context.transcribeFile(sound.file, options)
      return promise
    })
    return toText(segments)
  } catch (error) {
    throw new SpeechFault(
      400,
      'The recording could not be turned into text: it is damaged, or does not fit the speech model.',
      error,
    )
  }
}
