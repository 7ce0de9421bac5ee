/** What runs in the frame of artifacts; the other kinds are drawn by the page itself. */
export type FrameKind = 'html' | 'svg' | 'react'

/** What the page says to the frame: what to show, once for each frame. */
export interface ShowArtifact {
  readonly type: 'show'
  readonly kind: FrameKind
  readonly source: string
  readonly isDark: boolean
  /** More of the source may come, so nothing of it runs yet. */
  readonly isGrowing: boolean
  /** A part of an answer: as high as what it shows, and dark where the answer is. */
  readonly isInline?: true
  /** Other computers may be asked for what the policy of the frame names. */
  readonly hasNetwork?: boolean
  /** What a component runs in; empty for other kinds. */
  readonly runtime: string
}

export interface PingArtifact {
  readonly type: 'ping'
}

/**
 * Something of the running page went wrong: it threw, it wrote an error into its console, it asked
 * for an address (`text`), or for a module (`text`) that is not there.
 */
export interface ArtifactProblem {
  readonly kind: 'error' | 'console' | 'blocked' | 'module'
  readonly text: string
  readonly line: number | null
}

/** What the frame says back. It is what a stranger says: only ever shown. */
export type ArtifactMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'shown' }
  | { readonly type: 'alive' }
  /** How high the content of an inline page is, in pixels. */
  | { readonly type: 'height'; readonly height: number }
  | ({ readonly type: 'problem' } & ArtifactProblem)

const LONGEST_TEXT = 2000
const KINDS: ReadonlySet<unknown> = new Set(['error', 'console', 'blocked', 'module'])

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Reads a message of the frame; anything else is null. */
export function parseArtifactMessage(data: unknown): ArtifactMessage | null {
  if (!isRecord(data)) return null
  const { type, kind, text, line, height } = data
  if (type === 'height')
    return typeof height === 'number' && Number.isFinite(height) ? { type, height } : null
  if (type === 'ready' || type === 'shown' || type === 'alive') return { type }
  if (type !== 'problem' || !KINDS.has(kind) || typeof text !== 'string' || text === '') return null
  return {
    type,
    kind: kind as ArtifactProblem['kind'],
    text: text.slice(0, LONGEST_TEXT),
    line: typeof line === 'number' && Number.isSafeInteger(line) && line > 0 ? line : null,
  }
}
