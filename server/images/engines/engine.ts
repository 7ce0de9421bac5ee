import type { EngineClient } from './engine-client.ts'
import type { LiftBounds } from './lift-pictures.ts'

/** A source image for new ones. */
export interface SourcePicture {
  readonly type: string
  readonly bytes: Buffer
}

/** Parameters of a request to an engine. */
export interface PictureWish {
  readonly prompt: string
  readonly negativePrompt: string
  readonly model: string
  /** Size in the form of engines that take a text; empty leaves it to the engine. */
  readonly size: string
  readonly width: number | null
  readonly height: number | null
  readonly n: number
  readonly steps: number | null
  readonly seed: number | null
  readonly background: string | null
  /** Images to edit; empty for new ones. */
  readonly sources: readonly SourcePicture[]
}

/** Context of one engine call. */
export interface EngineRun {
  readonly client: EngineClient
  readonly signal: AbortSignal
  /** Maximum size of an image in bytes. */
  readonly pictureBytes: number
  onProgress(done: number | null, total: number | null): void
}

export interface MadePicture {
  readonly bytes: Buffer
  /** Null if the engine does not report it. */
  readonly seed: number | null
}

/** Result of an engine call, with the steps it used if it has such a parameter. */
export interface Made {
  readonly pictures: readonly MadePicture[]
  readonly steps: number | null
  /** The model used, which may differ from the requested one. */
  readonly model: string
}

/**
 * Implements the protocol of one kind of server. Throws `badRequest` errors with messages; stops
 * the work of the server when the signal aborts.
 */
export type MakePictures = (wish: PictureWish, run: EngineRun) => Promise<Made>

export const withoutSeeds = (pictures: readonly Buffer[]): MadePicture[] =>
  pictures.map((bytes) => ({ bytes, seed: null }))

/** Maximum number of images in one response; those beyond the requested number are dropped. */
const MOST_PICTURES = 16

export const boundsOf = ({ pictureBytes }: EngineRun): LiftBounds => ({
  pictureBytes,
  pictures: MOST_PICTURES,
})
