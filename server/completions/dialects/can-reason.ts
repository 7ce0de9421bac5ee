import type { ResolvedModel } from '../../extensions/resolved-model.ts'

/** Returns true if a model is known to reason; others reject the reasoning fields. */
export const canReason = ({ model }: ResolvedModel): boolean =>
  model.capabilities['reasoning'] === true
