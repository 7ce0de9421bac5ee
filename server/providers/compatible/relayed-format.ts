import type { ServiceError } from '../../lib/errors.ts'
import type { FaultContext } from '../upstream/upstream-faults.ts'
import type { GuardedFormat } from './guard-frames.ts'

/** Format shared by an upstream and a caller. */
export interface RelayedFormat extends GuardedFormat {
  readonly path: string
  /**
   * Returns the document of a whole answer in a form SDKs can read, the same object if it already
   * is; null if it holds no answer.
   */
  mendDocument(
    document: Record<string, unknown>,
    faults: FaultContext,
  ): Record<string, unknown> | null
  /**
   * Returns the end of a stream that reported that it is finished, or an error, but left out the
   * end mark.
   */
  toEnd(hasFailed: boolean): string
  /** Returns the last frames of an interrupted stream. */
  toBrokenEnd(fault: ServiceError): string
  /**
   * Converts a whole answer into the stream the caller asked for; returns null if that is
   * impossible.
   */
  toStream(document: Record<string, unknown>, faults: FaultContext): string | null
  /**
   * Converts a stream into the whole answer the caller asked for; returns null if that is
   * impossible.
   */
  toDocument(events: Buffer, faults: FaultContext): Promise<object> | null
}
