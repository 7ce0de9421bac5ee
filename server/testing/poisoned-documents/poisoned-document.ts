/** A document made to do harm. */
export interface PoisonedDocument {
  readonly filename: string
  /** `canary` is an address that must never be called. */
  readonly build: (canary: string) => Buffer
  /** `refused` ends with a sentence, `read` gives text; `any` may do either. */
  readonly outcome: 'refused' | 'read' | 'any'
  /** Must not be in the text. */
  readonly absent?: string
}
