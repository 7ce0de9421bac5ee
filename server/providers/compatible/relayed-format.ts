import type { ServiceError } from '../../lib/errors.ts'
import type { FaultContext } from '../upstream-faults.ts'
import type { GuardedFormat } from './guard-frames.ts'

/** What two sides that speak the same format have agreed on. */
export interface RelayedFormat extends GuardedFormat {
  readonly path: string
  /**
   * The document of a whole answer as SDKs can read it, the same object when it is one; null when
   * it holds no answer.
   */
  mendDocument(
    document: Record<string, unknown>,
    faults: FaultContext,
  ): Record<string, unknown> | null
  /**
   * Ends a stream that told that it is finished, or an error of its own, and left out the end mark.
   */
  toEnd(hasFailed: boolean): string
  /** The last frames of a stream that broke off. */
  toBrokenEnd(fault: ServiceError): string
  /** A whole answer as the stream the caller asked for; null where that cannot be made. */
  toStream(document: Record<string, unknown>, faults: FaultContext): string | null
  /** A stream as the whole answer the caller asked for; null where that cannot be made. */
  toDocument(events: Buffer, faults: FaultContext): Promise<object> | null
}
