import { isRecord } from '../../lib/fields.ts'

/** Message from the page to the diagram frame. */
export interface DrawDiagram {
  readonly type: 'draw'
  readonly source: string
  readonly isDark: boolean
  readonly ink: string
  readonly line: string
  readonly surface: string
  readonly accent: string
}

/** Scales the drawing; 1 is its original size, at most as wide as the frame. */
export interface ScaleDiagram {
  readonly type: 'scale'
  readonly scale: number
}

/** Message from the frame to the page. Sizes are CSS pixels; `svg` is the drawing as a file. */
export type DiagramMessage =
  | { readonly type: 'ready' }
  | {
      readonly type: 'drawn'
      readonly width: number
      readonly height: number
      readonly svg: string
    }
  | { readonly type: 'failed'; readonly reason: string }

const isSize = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0

/** Parses a message of the frame; returns null for anything else. */
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
