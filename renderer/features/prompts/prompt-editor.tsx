import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Prompt } from '#contract/prompts.ts'
import { useAction } from '../../api/use-action.ts'
import { translate } from '../../lib/i18n.ts'
import { AccessPicker, type PrincipalLoaders } from '../../ui/access/access-picker.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { TagsField } from '../../ui/fields/tags-field.tsx'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { fieldsOf } from '../../ui/fields/fields-of.ts'
import { initialValues, readVariables } from './prompt-variables.ts'
import { type PromptForm, type PromptsStore, savePrompt, toForm } from './prompts-store.ts'
import { VariableField } from './variable-field.tsx'

interface PromptEditorProps {
  readonly store: PromptsStore
  /** Prompt to edit; null for a new one. */
  readonly prompt: Prompt | null
  /** True to start a new prompt with the text of this one. */
  readonly isCopy: boolean
  /** True to start a new prompt with an example. */
  readonly isExample?: boolean
  readonly principals: PrincipalLoaders
  readonly mayOpenToAll: boolean
  readonly onClose: () => void
}

const EMPTY: PromptForm = {
  command: '',
  name: '',
  content: '',
  tags: [],
  access_grants: [],
  note: '',
}

const toCopy = (prompt: Prompt): PromptForm => ({
  ...toForm(prompt),
  command: `${prompt.command}-2`,
  access_grants: [],
})

/** Returns a prompt that works as it is and shows a blank to fill in. */
const toExample = (): PromptForm => ({
  ...EMPTY,
  name: translate('prompts.example.name'),
  content: `${translate('prompts.example.text')}\n\n{{text | textarea}}`,
})

/** Derives a command from a name, used if none was typed. */
export const suggestCommand = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)

/** Preview of the form for the prompt's variables. */
function VariablesPreview({ content }: { content: string }) {
  const { t } = useTranslation()
  const variables = useMemo(() => readVariables(content), [content])
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map())
  if (variables.length === 0) return null
  const values = new Map([...initialValues(variables), ...typed])
  return (
    <fieldset className="flex flex-col gap-4 rounded-medium bg-sunken p-4">
      <legend className="float-start mb-3 w-full text-small font-medium text-muted">
        {t('prompts.variablesPreview')}
      </legend>
      {variables.map((variable) => (
        <VariableField
          key={variable.name}
          variable={{ ...variable, required: false }}
          value={values.get(variable.name) ?? ''}
          onChange={(value) => setTyped((before) => new Map(before).set(variable.name, value))}
        />
      ))}
    </fieldset>
  )
}

function VariablesHelp() {
  const { t } = useTranslation()
  const rows = [
    ['{{topic}}', t('prompts.helpText')],
    ['{{tone | select:options=["short","long"]}}', t('prompts.helpSelect')],
    ['{{day | date}}', t('prompts.helpKinds')],
    ['{{CURRENT_DATE}} {{USER_NAME}} {{CLIPBOARD}}', t('prompts.helpBuiltIn')],
  ] as const
  return (
    <FoldOut title={t('prompts.help')}>
      <dl className="mt-1 flex flex-col gap-2 text-small">
        {rows.map(([code, text]) => (
          <div key={code}>
            <dt data-exempt="">
              <code dir="ltr" className="rounded-small bg-hover px-1 text-code wrap-anywhere">
                {code}
              </code>
            </dt>
            <dd className="mt-0.5 text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </FoldOut>
  )
}

/** Creates or edits a prompt; every save creates a version that can be restored. */
export function PromptEditor({
  store,
  prompt,
  isCopy,
  isExample,
  principals,
  mayOpenToAll,
  onClose,
}: PromptEditorProps) {
  const { t } = useTranslation()
  const [existing] = useState(isCopy ? null : prompt)
  const [form, setForm] = useState(() =>
    prompt ? (isCopy ? toCopy : toForm)(prompt) : isExample ? toExample() : EMPTY,
  )
  const change = (part: Partial<PromptForm>): void => setForm((before) => ({ ...before, ...part }))
  const field = fieldsOf(form, change)
  const command = form.command || suggestCommand(form.name)
  const submission = useAction(() => savePrompt(store, existing, { ...form, command }), onClose)
  return (
    <FormDialog
      wide
      title={existing ? t('prompts.editTitle', { name: existing.name }) : t('prompts.newTitle')}
      submission={submission}
      onClose={onClose}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label={t('prompts.name')}
          data-first-focus=""
          required
          maxLength={500}
          autoComplete="off"
          {...field('name')}
        />
        <TextField
          label={t('prompts.command')}
          hint={t('prompts.commandHint')}
          maxLength={200}
          pattern={'\\/?[\\p{L}\\p{N}._\\-]+'}
          title={t('prompts.commandRule')}
          autoComplete="off"
          spellCheck={false}
          placeholder={suggestCommand(form.name)}
          {...field('command')}
        />
      </div>
      <div className="flex flex-col gap-2">
        <TextArea label={t('prompts.content')} required rows={8} {...field('content')} />
        <VariablesHelp />
      </div>
      <VariablesPreview content={form.content} />
      <TagsField
        label={t('prompts.tags')}
        hint={t('prompts.tagsHint')}
        tags={form.tags}
        onChange={(tags) => change({ tags })}
      />
      {existing && (
        <TextField
          label={t('prompts.note')}
          hint={t('prompts.noteHint')}
          maxLength={1000}
          autoComplete="off"
          {...field('note')}
        />
      )}
      <section aria-label={t('access.title')}>
        <h2 className="mb-3 border-t border-line pt-4 text-head-1 font-semibold">
          {t('access.title')}
        </h2>
        <AccessPicker
          grants={form.access_grants}
          loaders={principals}
          mayOpenToAll={mayOpenToAll}
          onChange={(access_grants) => change({ access_grants })}
        />
      </section>
    </FormDialog>
  )
}
