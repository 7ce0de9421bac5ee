import { lazy } from 'react'
import type { CodeCellParts } from '../ui/markdown/code-cells.ts'

const load = () => import('../features/code/code-cell.tsx')

/** What runs code in answers, fetched with the first piece of code that can be run. */
export const codeCells: CodeCellParts = {
  Controls: lazy(async () => ({ default: (await load()).Controls })),
  Output: lazy(async () => ({ default: (await load()).Output })),
}
