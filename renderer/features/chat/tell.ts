import { toSentence } from '../../api/api-error.ts'
import { toast } from '../../ui/toast.tsx'

/** Tells that something failed, in the words of whoever refused it. */
export const tell = (thrown: unknown): void => toast({ tone: 'danger', text: toSentence(thrown) })
