import type { Prompt } from '#contract/prompts.ts'
import { rankText } from '../../lib/rank-text.ts'

/** Returns the command with its leading slash. */
export const toSlash = (command: string): string => `/${command.replace(/^\//, '')}`

const MOST = 50

/** Returns active prompts that match the word, the best first. */
export function rankPrompts(prompts: readonly Prompt[], word: string): readonly Prompt[] {
  const rank = (prompt: Prompt): number =>
    Math.max(rankText(prompt.command.replace(/^\//, ''), word), rankText(prompt.name, word) * 0.9)
  return prompts
    .filter((prompt) => prompt.is_active)
    .map((prompt) => ({ prompt, value: rank(prompt) }))
    .filter(({ value }) => value > 0)
    .toSorted(
      (left, right) =>
        right.value - left.value || left.prompt.command.localeCompare(right.prompt.command),
    )
    .slice(0, MOST)
    .map(({ prompt }) => prompt)
}
