import { lazy } from 'react'
import { noteCodeUse } from './follow-python.ts'
import type { CodeCellParts } from '../ui/markdown/code-cells.ts'

function load() {
  noteCodeUse()
  return import('../features/code/code-cell.tsx')
}

/** What runs code in answers, fetched with the first piece of code that can be run. */
export const codeCells: CodeCellParts = {
  Controls: lazy(async () => ({ default: (await load()).Controls })),
  Output: lazy(async () => ({ default: (await load()).Output })),
}
