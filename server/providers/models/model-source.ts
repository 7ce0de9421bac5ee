import type { OfferedModel } from '../provider.ts'

/** Models from inside the gateway rather than from a connection. */
export interface ModelSource {
  /** Returns the models known now. */
  models(): readonly OfferedModel[]
  /**
   * Reads models that are unknown or old; with `force` all of them, or those that may include the
   * `wanted` model. Never fails.
   */
  refresh(force: boolean, wanted?: string): Promise<void>
  onChange(listener: () => void): void
}
