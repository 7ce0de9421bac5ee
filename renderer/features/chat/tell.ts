import { toSentence } from '../../api/api-error.ts'
import { toast } from '../../ui/toast.tsx'

/** Shows an error in a toast, with the message of its origin. */
export const tell = (thrown: unknown): void => toast({ tone: 'danger', text: toSentence(thrown) })
