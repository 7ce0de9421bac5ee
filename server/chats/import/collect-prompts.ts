import type { ArchivePrompt } from './archive-chat.ts'

const MOST_PROMPTS = 10_000
/** Size limit of the prompts, all of which are kept in memory until the import. */
const MOST_CHARACTERS = 16 * 1024 * 1024
/** Limits of the prompt library. */
const LONGEST_CONTENT = 500_000
const LONGEST_NAME = 500
const LONGEST_TAG = 100
const MOST_TAGS = 50
/** Leaves room for the number that tells two commands apart. */
const LONGEST_COMMAND = 100
const LONGEST_KEY = 300

const toText = (text: string): string => text.toWellFormed().replaceAll('\u0000', '')

/** Returns a command of letters, digits, `-`, `_` and `.`, as the prompt library requires. */
export const toCommand = (text: string): string =>
  toText(text)
    .replace(/^\/+/, '')
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, LONGEST_COMMAND)
    .toWellFormed()
    .replaceAll('\ufffd', '') || 'prompt'

/** Collects the prompts of a program in the form of the prompt library. */
export class PromptCollector {
  readonly #note: (sentence: string) => void
  readonly #prompts = new Map<string, ArchivePrompt>()
  #characters = 0
  #isFull = false

  constructor(note: (sentence: string) => void) {
    this.#note = note
  }

  get prompts(): ArchivePrompt[] {
    return [...this.#prompts.values()]
  }

  add({ key, command, name, content, tags }: ArchivePrompt): void {
    const text = toText(content)
    if (text.trim() === '' || key === '' || key.length > LONGEST_KEY) return
    const shown = toText(name).trim().slice(0, LONGEST_NAME).trim() || toCommand(command)
    if (text.length > LONGEST_CONTENT)
      return this.#note(`The prompt "${shown.slice(0, 200)}" is too long and is left out.`)
    this.#characters += text.length
    if (this.#prompts.size >= MOST_PROMPTS || this.#characters > MOST_CHARACTERS) {
      if (!this.#isFull) this.#note('There are too many prompts; some are left out.')
      this.#isFull = true
      return
    }
    const kept = tags.map((tag) => toText(tag).trim().slice(0, LONGEST_TAG).trim())
    this.#prompts.set(key, {
      key,
      command: toCommand(command),
      name: shown,
      content: text,
      tags: [...new Set(kept.filter((tag) => tag !== ''))].slice(0, MOST_TAGS),
    })
  }
}
