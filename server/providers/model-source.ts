import type { OfferedModel } from './provider.ts'

/** Models that come from within the gateway rather than from a connection. */
export interface ModelSource {
  /** As they are known now. */
  models(): readonly OfferedModel[]
  /**
   * Reads what is not known or old; with `force` everything, or what the `wanted` model may be
   * among. Never fails.
   */
  refresh(force: boolean, wanted?: string): Promise<void>
  onChange(listener: () => void): void
}
