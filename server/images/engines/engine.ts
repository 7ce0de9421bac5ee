import type { EngineClient } from './engine-client.ts'
import type { LiftBounds } from './lift-pictures.ts'

/** A picture to make others from. */
export interface SourcePicture {
  readonly type: string
  readonly bytes: Buffer
}

/** What an engine is asked for. */
export interface PictureWish {
  readonly prompt: string
  readonly negativePrompt: string
  readonly model: string
  /** As it is sent where the engine takes a text; empty leaves it to the engine. */
  readonly size: string
  readonly width: number | null
  readonly height: number | null
  readonly n: number
  readonly steps: number | null
  readonly seed: number | null
  readonly background: string | null
  /** Pictures to edit; empty for new ones. */
  readonly sources: readonly SourcePicture[]
}

/** One call of an engine under way. */
export interface EngineRun {
  readonly client: EngineClient
  readonly signal: AbortSignal
  /** Largest picture in bytes. */
  readonly pictureBytes: number
  onProgress(done: number | null, total: number | null): void
}

export interface MadePicture {
  readonly bytes: Buffer
  /** Null where the engine does not tell. */
  readonly seed: number | null
}

/** What was made, with what the engine went by where it takes such a thing. */
export interface Made {
  readonly pictures: readonly MadePicture[]
  readonly steps: number | null
  /** The model that was asked, which is not always the one that was wished for. */
  readonly model: string
}

/**
 * Speaks the protocol of one kind of server. Throws sentences of `badRequest`; ends the work of the
 * server when the signal aborts.
 */
export type MakePictures = (wish: PictureWish, run: EngineRun) => Promise<Made>

export const withoutSeeds = (pictures: readonly Buffer[]): MadePicture[] =>
  pictures.map((bytes) => ({ bytes, seed: null }))

/** The most one answer may bring; those beyond the wish are left out. */
const MOST_PICTURES = 16

export const boundsOf = ({ pictureBytes }: EngineRun): LiftBounds => ({
  pictureBytes,
  pictures: MOST_PICTURES,
})
