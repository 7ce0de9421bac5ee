import type { Caller } from '../../lib/http.ts'

/** A caller whose credential may end during the lifetime of a connection, such as a socket. */
export interface LiveCaller {
  readonly caller: Caller
  /** Returns true if the credential is still valid; cheap enough to call on every frame. */
  isValid(): Promise<boolean>
}
