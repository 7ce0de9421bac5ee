import type { ServiceError } from '../../lib/errors.ts'
import type { FaultContext } from '../upstream-faults.ts'
import type { GuardedFormat } from './guard-frames.ts'

/** What two sides that speak the same format have agreed on. */
export interface RelayedFormat extends GuardedFormat {
  readonly path: string
  /** Whether the document of a whole answer holds an answer, which SDKs take for granted. */
  isAnswer(document: Record<string, unknown>): boolean
  /** Ends a stream that told that it is finished, or an error of its own, and left out the end mark. */
  toEnd(hasFailed: boolean): string
  /** The last frames of a stream that broke off. */
  toBrokenEnd(fault: ServiceError): string
  /** A whole answer as the stream the caller asked for; null where that cannot be made. */
  toStream(document: Record<string, unknown>, faults: FaultContext): string | null
  /** A stream as the whole answer the caller asked for; null where that cannot be made. */
  toDocument(events: Buffer, faults: FaultContext): object | null
}
