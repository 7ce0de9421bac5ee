import { isRecord } from '../../lib/fields.ts'

/** Kinds that run in the artifact frame; the page renders the others itself. */
export type FrameKind = 'html' | 'svg' | 'react'

/** Message from the page to the frame with the content, sent once per frame. */
export interface ShowArtifact {
  readonly type: 'show'
  readonly kind: FrameKind
  readonly source: string
  readonly isDark: boolean
  /** True while the source is incomplete, so none of it runs yet. */
  readonly isGrowing: boolean
  /** Set for a part of an answer: as high as its content, and dark where the answer is. */
  readonly isInline?: true
  /** True if the artifact may reach the hosts that the frame's policy names. */
  readonly hasNetwork?: boolean
  /** Runtime of components; empty for other kinds. */
  readonly runtime: string
}

export interface PingArtifact {
  readonly type: 'ping'
}

/**
 * Problem of the running page: it threw, logged an error to its console, requested a URL (`text`),
 * or a missing module (`text`).
 */
export interface ArtifactProblem {
  readonly kind: 'error' | 'console' | 'blocked' | 'module'
  readonly text: string
  readonly line: number | null
}

/** Message from the frame to the page. It is untrusted: only ever displayed. */
export type ArtifactMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'shown' }
  | { readonly type: 'alive' }
  /** Height of an inline page's content, in pixels. */
  | { readonly type: 'height'; readonly height: number }
  | ({ readonly type: 'problem' } & ArtifactProblem)

const LONGEST_TEXT = 2000
const KINDS: ReadonlySet<unknown> = new Set(['error', 'console', 'blocked', 'module'])

/** Parses a message of the frame; returns null for anything else. */
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
