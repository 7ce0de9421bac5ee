import type { ChatBodyInput } from '#contract/chats.ts'
import type { ImportSource } from '#contract/imports.ts'

export type Fields = Readonly<Record<string, unknown>>

/** A chat of an archive in storable form; times are unix seconds. */
export interface ArchiveChat {
  /** Id of the chat in the archive; the same chat of a later archive has the same one. */
  readonly key: string
  readonly title: string
  readonly created_at: number | null
  readonly updated_at: number | null
  readonly pinned: boolean
  readonly archived: boolean
  /** Id of the folder in the archive. */
  readonly folder: string | null
  readonly body: ChatBodyInput
}

/** Summary of a chat after the archive was read; the chat itself is stored in a file. */
export interface ChatSummary {
  readonly key: string
  readonly title: string
  readonly created_at: number | null
  readonly updated_at: number | null
  readonly message_count: number
  readonly branch_count: number
  readonly fingerprint: string
  /** Offset of the chat in the file of read chats. */
  readonly offset: number
  readonly length: number
}

/** A prompt of another program, in the form of the prompt library. */
export interface ArchivePrompt {
  /** Id of the prompt in the program; the same prompt read later has the same one. */
  readonly key: string
  /** Preferred command, without its slash; another one is chosen if it is taken. */
  readonly command: string
  readonly name: string
  readonly content: string
  readonly tags: readonly string[]
}

/** An uploaded file of another program to which messages refer by its id. */
export interface ArchiveFile {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly bytes: number
}

/** Content read from an archive. */
export interface ArchiveContent {
  readonly source: ImportSource
  readonly chats: readonly ChatSummary[]
  readonly folders: readonly Fields[]
  readonly prompts: readonly ArchivePrompt[]
  readonly files: readonly ArchiveFile[]
  readonly problems: readonly string[]
}

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const FIRST_MILLISECOND_STAMP = 100_000_000_000

/** Returns unix seconds from seconds, milliseconds or a date string; null for anything else. */
export function toSeconds(value: unknown): number | null {
  if (typeof value === 'string') return toSeconds(Date.parse(value))
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return null
  const seconds = Math.floor(value >= FIRST_MILLISECOND_STAMP ? value / 1000 : value)
  return seconds < FIRST_MILLISECOND_STAMP ? seconds : null
}

/** Wraps a text in a fence that no line of the text can close. */
export function fence(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}${language}\n${text}\n${ticks}`
}
