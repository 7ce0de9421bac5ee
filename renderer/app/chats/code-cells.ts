import { lazyPart } from '../../lib/lazy-part.ts'
import { noteCodeUse } from '../following/follow-python.ts'
import type { CodeCellParts } from '../../ui/markdown/code-cells.ts'

function load() {
  noteCodeUse()
  return import('../../features/code/code-cell.tsx')
}

/** Components that run code in answers, loaded with the first runnable code block. */
export const codeCells: CodeCellParts = {
  Controls: lazyPart(load, 'Controls'),
  Output: lazyPart(load, 'Output'),
}
