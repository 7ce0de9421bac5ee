/** What the page says to the frame that draws diagrams. */
export interface DrawDiagram {
  readonly type: 'draw'
  readonly source: string
  readonly isDark: boolean
  readonly ink: string
  readonly line: string
  readonly surface: string
  readonly accent: string
}

/** What the frame says back. */
export type DiagramMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'drawn'; readonly height: number }
  | { readonly type: 'failed'; readonly reason: string }

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Reads a message of the frame; anything else is null. */
export function parseDiagramMessage(data: unknown): DiagramMessage | null {
  if (!isRecord(data)) return null
  if (data.type === 'ready') return { type: 'ready' }
  if (data.type === 'drawn' && typeof data.height === 'number' && Number.isFinite(data.height))
    return { type: 'drawn', height: data.height }
  if (data.type === 'failed' && typeof data.reason === 'string')
    return { type: 'failed', reason: data.reason }
  return null
}
