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

/** Shows the drawing larger or smaller; 1 is the size it was drawn in, at most as wide as the frame. */
export interface ScaleDiagram {
  readonly type: 'scale'
  readonly scale: number
}

/** What the frame says back. Sizes are CSS pixels; `svg` is the drawing as a file. */
export type DiagramMessage =
  | { readonly type: 'ready' }
  | {
      readonly type: 'drawn'
      readonly width: number
      readonly height: number
      readonly svg: string
    }
  | { readonly type: 'failed'; readonly reason: string }

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const isSize = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0

/** Reads a message of the frame; anything else is null. */
export function parseDiagramMessage(data: unknown): DiagramMessage | null {
  if (!isRecord(data)) return null
  if (data.type === 'ready') return { type: 'ready' }
  if (data.type === 'drawn') {
    const { width, height, svg } = data
    return isSize(width) && isSize(height) && typeof svg === 'string'
      ? { type: 'drawn', width, height, svg }
      : null
  }
  if (data.type === 'failed' && typeof data.reason === 'string')
    return { type: 'failed', reason: data.reason }
  return null
}
