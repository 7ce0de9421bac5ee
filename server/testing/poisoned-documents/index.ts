import { poisonedOfficeDocuments } from './office-documents.ts'
import { poisonedPdfs } from './pdf-documents.ts'
import type { PoisonedDocument } from './poisoned-document.ts'
import { poisonedTexts } from './text-documents.ts'

export type { PoisonedDocument } from './poisoned-document.ts'

/**
 * Documents designed to exhaust memory or time, to make outgoing connections, or to crash their
 * reader.
 */
export const poisonedDocuments: readonly PoisonedDocument[] = [
  ...poisonedOfficeDocuments,
  ...poisonedPdfs,
  ...poisonedTexts,
]
