import type { Caller } from '../lib/http.ts'

/** A caller whose credential may end while a connection lives on, such as a socket. */
export interface LiveCaller {
  readonly caller: Caller
  /** Whether the credential would still be accepted now; cheap enough to ask on every frame. */
  isValid(): Promise<boolean>
}
