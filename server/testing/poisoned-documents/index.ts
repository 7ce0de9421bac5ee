import { poisonedOfficeDocuments } from './office-documents.ts'
import { poisonedPdfs } from './pdf-documents.ts'
import type { PoisonedDocument } from './poisoned-document.ts'
import { poisonedTexts } from './text-documents.ts'

export type { PoisonedDocument } from './poisoned-document.ts'

/** Documents made to exhaust memory or time, to reach out, or to break whoever reads them. */
export const poisonedDocuments: readonly PoisonedDocument[] = [
  ...poisonedOfficeDocuments,
  ...poisonedPdfs,
  ...poisonedTexts,
]
