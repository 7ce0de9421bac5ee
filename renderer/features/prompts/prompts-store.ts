import { createStore, type StoreApi } from 'zustand/vanilla'
import type { AccessGrant } from '#contract/access.ts'
import type { Prompt } from '#contract/prompts.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'

export interface PromptsState {
  readonly prompts: readonly Prompt[]
  readonly status: 'idle' | 'loading' | 'ready' | 'failed'
  readonly problem: string | null
}

export type PromptsStore = StoreApi<PromptsState>

export const NO_PROMPTS: PromptsState = { prompts: [], status: 'idle', problem: null }

export const createPromptsStore = (): PromptsStore => createStore<PromptsState>(() => NO_PROMPTS)

/** How often something was changed here. */
const turns = new WeakMap<PromptsStore, number>()
const noteChange = (store: PromptsStore): void => void turns.set(store, (turns.get(store) ?? 0) + 1)

async function readPrompts(store: PromptsStore): Promise<readonly Prompt[]> {
  const turn = turns.get(store)
  const prompts = await call(endpoints.prompts.list, {})
  // What was read while somebody changed something here is old.
  return turns.get(store) === turn ? prompts : readPrompts(store)
}

/** Fetches every prompt the person may use; a list that is shown stays while loading. */
export async function loadPrompts(store: PromptsStore): Promise<void> {
  if (store.getState().status === 'loading') return
  if (store.getState().status !== 'ready') store.setState({ status: 'loading' })
  try {
    store.setState({ prompts: await readPrompts(store), status: 'ready', problem: null })
  } catch (thrown) {
    store.setState({ status: 'failed', problem: toSentence(thrown) })
  }
}

/** Puts a prompt into its place in the list. */
export function putPrompt(store: PromptsStore, prompt: Prompt): void {
  noteChange(store)
  store.setState(({ prompts }) => ({
    prompts: [...prompts.filter((each) => each.id !== prompt.id), prompt].toSorted((left, right) =>
      left.command.localeCompare(right.command),
    ),
  }))
}

const dropPrompt = (store: PromptsStore, id: string): void =>
  store.setState(({ prompts }) => ({ prompts: prompts.filter((each) => each.id !== id) }))

/** What a form says about a prompt. */
export type PromptForm = Pick<Prompt, 'command' | 'name' | 'content' | 'tags'> & {
  readonly access_grants: AccessGrant[]
  readonly note: string
}

/** Stores a new prompt, or a new version of the one named by `id`. */
export async function savePrompt(
  store: PromptsStore,
  id: string | null,
  { note, ...form }: PromptForm,
): Promise<Prompt> {
  const body = { ...form, commit_message: note.trim() || null }
  const saved =
    id === null
      ? await call(endpoints.prompts.create, { body })
      : await call(endpoints.prompts.update, { params: { prompt_id: id }, body })
  putPrompt(store, saved)
  return saved
}

export async function togglePrompt(store: PromptsStore, id: string): Promise<void> {
  putPrompt(store, await call(endpoints.prompts.toggle, { params: { prompt_id: id } }))
}

/** Deletes a prompt; the list shows it again when the gateway refuses. */
export async function removePrompt(store: PromptsStore, prompt: Prompt): Promise<void> {
  dropPrompt(store, prompt.id)
  try {
    await call(endpoints.prompts.remove, { params: { prompt_id: prompt.id } })
    noteChange(store)
  } catch (thrown) {
    putPrompt(store, prompt)
    throw thrown
  }
}

/** Makes a deleted prompt again; its versions are gone. */
export async function bringBackPrompt(store: PromptsStore, prompt: Prompt): Promise<void> {
  const { command, name, content, tags, data, meta, access_grants } = prompt
  const made = await call(endpoints.prompts.create, {
    body: { command, name, content, tags, data, meta, access_grants },
  })
  putPrompt(store, made)
  if (!prompt.is_active) await togglePrompt(store, made.id)
}

/** Makes an earlier version the one in use. */
export async function restoreVersion(
  store: PromptsStore,
  promptId: string,
  versionId: string,
): Promise<Prompt> {
  const saved = await call(endpoints.prompts.updateVersion, {
    params: { prompt_id: promptId },
    body: { version_id: versionId },
  })
  putPrompt(store, saved)
  return saved
}

/** Every tag of the prompts, from A to Z. */
export const tagsOf = (prompts: readonly Prompt[]): readonly string[] =>
  [...new Set(prompts.flatMap((prompt) => prompt.tags))].toSorted((left, right) =>
    left.localeCompare(right),
  )

/**
 * Prompts whose command, name, text or tags hold every word, and that have the tag when there is
 * one.
 */
export function filterPrompts(
  prompts: readonly Prompt[],
  query: string,
  tag: string | null,
): readonly Prompt[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean)
  return prompts.filter((prompt) => {
    if (tag !== null && !prompt.tags.includes(tag)) return false
    const text =
      `${prompt.command} ${prompt.name} ${prompt.content} ${prompt.tags.join(' ')}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
