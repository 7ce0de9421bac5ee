import type { AccessGrant } from '#contract/access.ts'
import { SKILL_LIMITS, type Skill, type SkillEntry } from '#contract/skills.ts'
import { call, endpoints } from '../../api/client.ts'
import { ListStore } from '../../api/list-store.ts'
import { upload } from '../../api/upload.ts'
import { translate } from '../../lib/i18n.ts'
import { saveKnown } from '../../ui/dialogs/changed-elsewhere.tsx'

export type SkillsStore = ListStore<SkillEntry>

/** Creates the store of all skills available to the user, without their texts. */
export const createSkillsStore = (): SkillsStore =>
  new ListStore<SkillEntry>({
    read: async ({ signal }) => ({ items: await call(endpoints.skills.list, {}, { signal }) }),
    extra: {},
    keyOf: ({ id }) => id,
    compare: (left, right) => left.name.localeCompare(right.name),
  })

/** Form values of a skill, and the files to add and remove. */
export interface SkillForm {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly content: string
  readonly tags: readonly string[]
  readonly access_grants: AccessGrant[]
  readonly added: readonly File[]
  readonly removed: readonly string[]
}

export const EMPTY_FORM: SkillForm = {
  id: '',
  name: '',
  description: '',
  content: '',
  tags: [],
  access_grants: [],
  added: [],
  removed: [],
}

export const toForm = ({
  id,
  name,
  description,
  content,
  meta,
  access_grants,
}: Skill): SkillForm => ({
  ...EMPTY_FORM,
  id,
  name,
  description: description ?? '',
  content,
  tags: meta.tags ?? [],
  access_grants,
})

export const readSkill = (id: string): Promise<Skill> =>
  call(endpoints.skills.get, { params: { skill_id: id } })

/**
 * Updates a skill in the store, keeping its known owner: responses with a single skill do not
 * contain the owner.
 */
function put(store: SkillsStore, skill: Skill | SkillEntry): void {
  const before = store.getState().items.find(({ id }) => id === skill.id)
  store.put({ ...skill, user: skill.user ?? before?.user ?? null })
}

async function toBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** Returns an error message for a file that no skill may contain; null otherwise. */
export const refuseFile = ({ name, size }: File): string | null =>
  size > SKILL_LIMITS.fileBytes ? translate('skills.fileTooLarge', { name }) : null

async function saveFiles(
  id: string,
  existing: Skill | null,
  { added, removed }: SkillForm,
): Promise<void> {
  const params = { skill_id: id }
  // An earlier save that failed later may have removed some.
  const present = new Set(existing?.files.map(({ path }) => path))
  for (const path of removed.filter((each) => present.has(each)))
    await call(endpoints.skills.removeFile, { params, query: { path } })
  for (const file of added)
    await call(endpoints.skills.writeFile, {
      params,
      body: { path: file.name, content: await toBase64(file) },
    })
}

/**
 * Stores a new skill, or updates the one the form is based on. `onStored` is called between the
 * text and the files.
 */
export async function saveSkill(
  store: SkillsStore,
  existing: Skill | null,
  form: SkillForm,
  onStored: () => void,
): Promise<void> {
  const { id, name, description, content, tags, access_grants } = form
  const { meta } = existing ?? {}
  const body = { name, description, content, meta: { ...meta, tags: [...tags] }, access_grants }
  if (existing === null) {
    put(store, await call(endpoints.skills.create, { body: { ...body, id } }))
  } else {
    const params = { skill_id: existing.id }
    const { newest, isMine } = await saveKnown<Skill>({
      known: existing,
      save: (base) =>
        call(endpoints.skills.update, { params, body: { ...body, revision: base?.revision } }),
      readNewest: () => readSkill(existing.id),
      toForm,
      textOf: ({ content: text }) => text,
    })
    put(store, newest)
    if (!isMine) return
  }
  onStored()
  await saveFiles(existing?.id ?? id, existing, form)
}

export async function toggleSkill(store: SkillsStore, id: string): Promise<void> {
  put(store, await call(endpoints.skills.toggle, { params: { skill_id: id } }))
}

/** Deletes a skill; restores it in the list if the gateway refuses. */
export const removeSkill = (store: SkillsStore, skill: SkillEntry): Promise<void> =>
  store.remove(skill, () => call(endpoints.skills.remove, { params: { skill_id: skill.id } }))

/** Adds the skill of a zip file; resolves with its name. */
export async function importSkill(store: SkillsStore, file: File): Promise<string> {
  const made = await upload(endpoints.skills.import, {}, file, {
    type: 'application/zip',
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
  store.put(made)
  return made.name
}

/** Returns the text that is searched. */
export const textOf = ({ id, name, description, meta }: SkillEntry): string =>
  `${id} ${name} ${description ?? ''} ${(meta.tags ?? []).join(' ')}`

/** Derives an id from a name, used if none was typed. */
export const suggestId = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
