import { type ArtifactKind, kindOf, nameOf } from './artifact-kind.ts'
import { type FencedCode, scanFences } from './scan-fences.ts'

/** A user's edit of a code block in an answer; stored with the answer. */
export interface ArtifactEdit {
  readonly id: string
  /** Index of the code block within the answer. */
  readonly block: number
  readonly source: string
  /** Unix seconds. */
  readonly timestamp: number
}

/** An answer as searched for artifacts. */
export interface ArtifactSource {
  readonly messageId: string
  readonly text: string
  readonly isGrowing: boolean
  readonly edits: readonly ArtifactEdit[]
}

/** One version of an artifact. */
export interface ArtifactVersion {
  readonly id: string
  readonly messageId: string
  readonly block: number
  readonly source: string
  /** False while it is still being streamed. */
  readonly isClosed: boolean
  readonly isEdit: boolean
}

/** An artifact with versions from one or several answers. */
export interface Artifact {
  /** The id of its first version. */
  readonly id: string
  readonly kind: ArtifactKind
  readonly language: string
  readonly name: string | null
  readonly versions: readonly ArtifactVersion[]
}

const MOST_EDITS = 200

const isEdit = (value: unknown): value is ArtifactEdit => {
  if (typeof value !== 'object' || value === null) return false
  const { id, block, source, timestamp } = value as Record<string, unknown>
  return (
    typeof id === 'string' &&
    Number.isSafeInteger(block) &&
    typeof source === 'string' &&
    typeof timestamp === 'number'
  )
}

/** Returns the valid edits stored with a message, regardless of their author. */
export const readEdits = (value: unknown): readonly ArtifactEdit[] =>
  Array.isArray(value) ? value.filter(isEdit).slice(-MOST_EDITS) : []

const SAME_SHARE = 0.35
/** Minimum share of equal lines for blocks with different names, which is higher. */
const SAME_SHARE_OF_OTHERS = 0.7

/** Matches lines that occur in every page. */
const IN_EVERY_PAGE =
  /^<(!doctype|\/?(html|head|body|meta|title|style|script|div|main|section|svg|g))\b[^>]*>(.*<\/title>)?$/i

const linesOf = (source: string): Set<string> =>
  new Set(
    source
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.length > 3 && !IN_EVERY_PAGE.test(line)),
  )

/** Returns the share of the shorter one's lines that occur in the other. */
function shareOf(one: string, other: string): number {
  const [few, many] = [linesOf(one), linesOf(other)].toSorted((a, b) => a.size - b.size)
  if (!few || !many || few.size === 0) return 0
  const shared = [...few].filter((line) => many.has(line)).length
  return shared / few.size
}

interface Growing extends Artifact {
  readonly versions: ArtifactVersion[]
  name: string | null
}

function findEarlier(
  artifacts: readonly Growing[],
  {
    kind,
    language,
    name,
    code,
    messageId,
  }: Pick<Growing, 'kind' | 'language' | 'name'> & {
    readonly code: string
    readonly messageId: string
  },
): Growing | undefined {
  const others = artifacts.filter(
    (each) =>
      each.kind === kind &&
      (kind !== 'code' || each.language === language) &&
      each.versions.at(-1)!.messageId !== messageId,
  )
  const named = name === null ? undefined : others.findLast((each) => each.name === name)
  return (
    named ??
    others.findLast((each) => {
      const isOther = each.name !== null && name !== null
      const least = isOther ? SAME_SHARE_OF_OTHERS : SAME_SHARE
      return shareOf(each.versions.at(-1)!.source, code) >= least
    })
  )
}

const scanned = new Map<string, { text: string; fences: readonly FencedCode[] }>()
const MOST_SCANNED = 400

/** Cached, so that earlier answers are not scanned again while one is being streamed. */
function fencesOf({ messageId, text }: ArtifactSource): readonly FencedCode[] {
  const known = scanned.get(messageId)
  if (known?.text === text) return known.fences
  const fences = scanFences(text)
  if (scanned.size > MOST_SCANNED) scanned.clear()
  scanned.set(messageId, { text, fences })
  return fences
}

function addEdits(
  artifact: Growing,
  edits: readonly ArtifactEdit[],
  version: ArtifactVersion,
): void {
  for (const { id, block, source } of edits) {
    if (block !== version.block) continue
    artifact.versions.push({
      id,
      messageId: version.messageId,
      block,
      source,
      isClosed: true,
      isEdit: true,
    })
  }
}

/**
 * Returns the artifacts of a conversation, each with its versions from the oldest to the newest.
 */
export function collectArtifacts(sources: readonly ArtifactSource[]): readonly Artifact[] {
  const artifacts: Growing[] = []
  for (const source of sources) {
    const { messageId, isGrowing, edits } = source
    for (const [block, fence] of fencesOf(source).entries()) {
      const { language, code } = fence
      const kind = kindOf(language, code)
      if (!kind) continue
      const name = nameOf(kind, fence)
      const id = `${messageId}:${block}`
      const isClosed = fence.isClosed || !isGrowing
      const version = { id, messageId, block, source: code, isClosed, isEdit: false }
      const earlier = findEarlier(artifacts, { kind, language, name, code, messageId })
      const artifact = earlier ?? { id, kind, language, name, versions: [] }
      if (!earlier) artifacts.push(artifact)
      artifact.versions.push(version)
      artifact.name = name ?? artifact.name
      addEdits(artifact, edits, version)
    }
  }
  return artifacts
}

/** Returns the index of a code block among those of a text; null if it is none of them. */
export function findBlock(text: string, code: string): number | null {
  const block = scanFences(text).findIndex((fence) => fence.code === code)
  return block === -1 ? null : block
}

/** Returns the text of an answer with each code block replaced by its newest edit. */
export function withEdits(text: string, edits: readonly ArtifactEdit[]): string {
  if (edits.length === 0) return text
  let changed = text
  for (const [block, { start, end }] of [...scanFences(text).entries()].toReversed()) {
    const newest = edits.findLast((edit) => edit.block === block)
    if (newest) changed = changed.slice(0, start) + newest.source + changed.slice(end)
  }
  return changed
}
