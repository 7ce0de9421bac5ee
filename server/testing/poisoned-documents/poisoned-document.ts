/** A malicious document. */
export interface PoisonedDocument {
  readonly filename: string
  /** `canary` is a URL that must never be called. */
  readonly build: (canary: string) => Buffer
  /** `refused` ends with an error message, `read` returns text; `any` may do either. */
  readonly outcome: 'refused' | 'read' | 'any'
  /** Text that must not be in the result. */
  readonly absent?: string
}
