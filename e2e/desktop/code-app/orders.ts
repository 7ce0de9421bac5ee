/** A cell to be run by the test gateway, and its user. */
export interface CodeOrder {
  readonly id: string
  readonly userId: string
  readonly chatId: string
  readonly code: string
  /** File contents by file name. */
  readonly files: Readonly<Record<string, string>>
  readonly seconds: number
}

/** Result of the cell. */
export interface CodeReply {
  readonly id: string
  readonly kind: string
  readonly reason?: string
  readonly result?: {
    readonly status: string
    readonly stdout: string
    readonly stderr: string
    readonly result: string | null
    readonly pictures: readonly string[]
    readonly error: { readonly name: string; readonly message: string } | null
  }
  readonly files: Readonly<Record<string, string>>
}
