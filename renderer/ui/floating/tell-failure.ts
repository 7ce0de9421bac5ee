import { toSentence } from '../../api/api-error.ts'
import { translate } from '../../lib/i18n.ts'
import { toast } from './toast.tsx'

type FailureKey = Parameters<typeof translate>[0]

/** Returns a failure handler that shows which action failed and why. */
export const tellFailure =
  (key: FailureKey) =>
  (thrown: unknown): void =>
    toast({ tone: 'danger', text: translate(key, { problem: toSentence(thrown) }) })

/** The same for several failures at once: only the first reason is shown. */
export function tellFailures(
  key: FailureKey,
  failures: readonly { readonly thrown: unknown }[],
): void {
  if (failures[0]) tellFailure(key)(failures[0].thrown)
}
