import type { Prompt } from '#contract/prompts.ts'
import { rankText } from '../../lib/rank-text.ts'

/** A slash and what follows it, right before the caret. */
export interface TypedCommand {
  readonly start: number
  readonly end: number
  readonly word: string
}

const AT_CARET = /(?:^|\s)\/([\p{L}\p{N}._-]*)$/u

/** The command that is being typed at the caret; a slash inside of a word or a path is none. */
export function findCommand(text: string, caret: number): TypedCommand | null {
  const match = AT_CARET.exec(text.slice(0, caret))
  if (!match) return null
  const word = match[1] ?? ''
  return { start: caret - word.length - 1, end: caret, word }
}

/** The command as it is typed, with its slash. */
export const toSlash = (command: string): string => `/${command.replace(/^\//, '')}`

const MOST = 50

/** Prompts in use that fit the word, the best first. */
export function rankPrompts(prompts: readonly Prompt[], word: string): readonly Prompt[] {
  const rank = (prompt: Prompt): number => Math.max(rankText(prompt.command.replace(/^\//, ''), word), rankText(prompt.name, word) * 0.9)
  return prompts
    .filter((prompt) => prompt.is_active)
    .map((prompt) => ({ prompt, value: rank(prompt) }))
    .filter(({ value }) => value > 0)
    .toSorted((left, right) => right.value - left.value || left.prompt.command.localeCompare(right.prompt.command))
    .slice(0, MOST)
    .map(({ prompt }) => prompt)
}

/** The text with a piece in place of the command, and where the caret stands then. */
export function replaceCommand(
  text: string,
  { start, end }: TypedCommand,
  piece: string,
): { readonly text: string; readonly caret: number } {
  return { text: text.slice(0, start) + piece + text.slice(end), caret: start + piece.length }
}
