import { toSentence } from '../../api/api-error.ts'
import { translate } from '../../lib/i18n.ts'
import { toast } from '../../ui/toast.tsx'

/** Returns a failure handler that shows which action failed and why. */
export const tellFailure =
  (key: Parameters<typeof translate>[0]) =>
  (thrown: unknown): void =>
    toast({ tone: 'danger', text: translate(key, { problem: toSentence(thrown) }) })
