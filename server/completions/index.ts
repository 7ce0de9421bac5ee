import type { Route } from '../lib/http.ts'

/** The streaming pipeline (house plan §4). */
export interface Completions {
  readonly routes: readonly Route[]
}
