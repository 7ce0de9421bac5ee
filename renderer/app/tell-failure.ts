import { toSentence } from '../api/api-error.ts'
import { translate } from '../lib/i18n.ts'
import { toast } from '../ui/toast.tsx'

type FailureKey = Parameters<typeof translate>[0]

/** Handles a failure by saying what did not work and why. */
export const tellFailure =
  (key: FailureKey) =>
  (thrown: unknown): void =>
    toast({ tone: 'danger', text: translate(key, { problem: toSentence(thrown) }) })

/** The same for many things at once: the first reason speaks for all. */
export function tellFailures(
  key: FailureKey,
  failures: readonly { readonly thrown: unknown }[],
): void {
  if (failures[0]) tellFailure(key)(failures[0].thrown)
}
