import type { ResolvedModel } from '../../extensions/resolved-model.ts'

/** Whether a model is known to reason; others refuse the fields about it. */
export const canReason = ({ model }: ResolvedModel): boolean =>
  model.capabilities['reasoning'] === true
