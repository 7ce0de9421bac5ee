/** A cell the gateway of the test is to run, and for whom. */
export interface CodeOrder {
  readonly id: string
  readonly userId: string
  readonly chatId: string
  readonly code: string
  /** Texts by the names of their files. */
  readonly files: Readonly<Record<string, string>>
  readonly seconds: number
}

/** What came of it. */
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
