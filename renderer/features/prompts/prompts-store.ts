import type { AccessGrant } from '#contract/access.ts'
import type { Prompt } from '#contract/prompts.ts'
import { call, endpoints } from '../../api/client.ts'
import { ListStore } from '../../api/list-store.ts'
import { saveKnown } from '../../ui/dialogs/changed-elsewhere.tsx'

export type PromptsStore = ListStore<Prompt>

/** Creates the store of all prompts available to the user. */
export const createPromptsStore = (): PromptsStore =>
  new ListStore<Prompt>({
    read: async ({ signal }) => ({ items: await call(endpoints.prompts.list, {}, { signal }) }),
    extra: {},
    keyOf: ({ id }) => id,
    compare: (left, right) => left.command.localeCompare(right.command),
  })

/** Form values of a prompt. */
export type PromptForm = Pick<Prompt, 'command' | 'name' | 'content' | 'tags'> & {
  readonly access_grants: AccessGrant[]
  readonly note: string
}

export const toForm = ({ command, name, content, tags, access_grants }: Prompt): PromptForm => ({
  command,
  name,
  content,
  tags,
  access_grants,
  note: '',
})

/** Stores a new prompt, or a new version of an existing one. */
export async function savePrompt(
  store: PromptsStore,
  existing: Prompt | null,
  { note, ...form }: PromptForm,
): Promise<Prompt> {
  const body = { ...form, commit_message: note.trim() || null }
  const params = { prompt_id: existing?.id ?? '' }
  const saved =
    existing === null
      ? await call(endpoints.prompts.create, { body })
      : (
          await saveKnown<Prompt>({
            known: existing,
            save: (base) =>
              call(endpoints.prompts.update, {
                params,
                body: { ...body, known_at: base?.updated_at },
              }),
            readNewest: () => call(endpoints.prompts.get, { params }),
            toForm,
            textOf: ({ content }) => content,
          })
        ).newest
  store.put(saved)
  return saved
}

export async function togglePrompt(store: PromptsStore, id: string): Promise<void> {
  store.put(await call(endpoints.prompts.toggle, { params: { prompt_id: id } }))
}

/** Deletes a prompt; restores it in the list if the gateway refuses. */
export const removePrompt = (store: PromptsStore, prompt: Prompt): Promise<void> =>
  store.remove(prompt, () => call(endpoints.prompts.remove, { params: { prompt_id: prompt.id } }))

/** Restores a deleted prompt, without its versions. */
export async function bringBackPrompt(store: PromptsStore, prompt: Prompt): Promise<void> {
  const { command, name, content, tags, data, meta, access_grants } = prompt
  const made = await call(endpoints.prompts.create, {
    body: { command, name, content, tags, data, meta, access_grants },
  })
  store.put(made)
  if (!prompt.is_active) await togglePrompt(store, made.id)
}

/** Makes an earlier version the current one. */
export async function restoreVersion(
  store: PromptsStore,
  promptId: string,
  versionId: string,
): Promise<Prompt> {
  const saved = await call(endpoints.prompts.updateVersion, {
    params: { prompt_id: promptId },
    body: { version_id: versionId },
  })
  store.put(saved)
  return saved
}

/** Returns the text that is searched. */
export const textOf = ({ command, name, content, tags }: Prompt): string =>
  `${command} ${name} ${content} ${tags.join(' ')}`
