import { toShownFile } from '../../../ui/attachments/shown-file.ts'
import type { ChatMessage } from '../chat-store.ts'

/** Returns the names of the attachments that a question shows as left out, one a line. */
export const leftOutFiles = (question: ChatMessage | undefined): string =>
  (question?.files ?? [])
    .map((file) => toShownFile(file, ''))
    .filter(({ name, problem }) => problem !== null && name !== '')
    .map(({ name }) => name)
    .join('\n')
