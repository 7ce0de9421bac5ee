import type { RequestDetail, RequestFilter, RequestRecord } from '#contract/requests.ts'
import type { Route, ServeOptions } from '../lib/http.ts'

/**
 * The last calls of the API, in memory only: nothing is written to the disk, and switched off
 * nothing is kept.
 */
export interface RequestLog {
  /** See `ServeOptions`. */
  readonly record: NonNullable<ServeOptions['record']>
  /** Newest first; with `after` only what was recorded after that number. */
  list(query: RequestFilter & { after?: number; limit: number }): Promise<RequestPage>
  /** 404 for a call that is not in the log (any more); `origin` goes into its curl line. */
  get(id: string, origin: string): Promise<RequestDetail>
  clear(): void
  /** Hears of every call as it ends; answers how to stop hearing. */
  subscribe(listener: (record: RequestRecord) => void): () => void
  /** Ends all live streams. */
  close(): void
  readonly routes: readonly Route[]
}

/** One page of the log. `total` counts all records that fit. */
export interface RequestPage {
  readonly items: RequestRecord[]
  readonly total: number
}
