import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Skill } from '#contract/skills.ts'
import { useAction } from '../../api/use-action.ts'
import { translate } from '../../lib/i18n.ts'
import { AccessPicker, type PrincipalLoaders } from '../../ui/access/access-picker.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { TagsField } from '../../ui/fields/tags-field.tsx'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { fieldsOf } from '../../ui/fields/fields-of.ts'
import { SkillFiles } from './skill-files.tsx'
import {
  EMPTY_FORM,
  readSkill,
  saveSkill,
  suggestId,
  toForm,
  type SkillForm,
  type SkillsStore,
} from './skills-store.ts'

interface SkillEditorProps {
  readonly store: SkillsStore
  /** Skill to edit; null for a new one. */
  readonly skill: Skill | null
  /** True to start a new skill with an example. */
  readonly isExample?: boolean
  readonly principals: PrincipalLoaders
  readonly mayOpenToAll: boolean
  readonly onClose: () => void
}

/** Returns a skill that works as it is. */
const toExample = (): SkillForm => ({
  ...EMPTY_FORM,
  name: translate('skills.example.name'),
  description: translate('skills.example.description'),
  content: translate('skills.example.content'),
})

/**
 * Returns the form and the skill it is based on. After a partly failed save, such as when a file is
 * refused, the form continues from what has been stored.
 */
function useSkillForm({ store, skill, isExample, onClose }: SkillEditorProps) {
  const [base, setBase] = useState(skill)
  const [form, setForm] = useState(() =>
    skill ? toForm(skill) : isExample ? toExample() : EMPTY_FORM,
  )
  const id = base?.id ?? (form.id || suggestId(form.name))
  const save = async (): Promise<void> => {
    let isStored = false
    try {
      await saveSkill(store, base, { ...form, id }, () => (isStored = true))
    } catch (thrown) {
      // Otherwise the newest text may be another user's, and the form would overwrite it unseen.
      if (isStored) setBase(await readSkill(id))
      throw thrown
    }
  }
  const saving = useAction(save, onClose)
  return { base, form, setForm, saving }
}

type Change = (part: Partial<SkillForm>) => void

function TextFields({
  form,
  isNew,
  mayChange,
  change,
}: {
  form: SkillForm
  isNew: boolean
  mayChange: boolean
  change: Change
}) {
  const { t } = useTranslation()
  const field = fieldsOf(form, change)
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label={t('skills.name')}
          data-first-focus=""
          required
          readOnly={!mayChange}
          maxLength={200}
          autoComplete="off"
          {...field('name')}
        />
        <TextField
          label={t('skills.id')}
          hint={isNew ? t('skills.idHint') : undefined}
          readOnly={!isNew}
          maxLength={100}
          pattern={'[\\p{L}\\p{N}][\\p{L}\\p{N}._\\-]*'}
          title={t('skills.idRule')}
          autoComplete="off"
          spellCheck={false}
          placeholder={suggestId(form.name)}
          {...field('id')}
        />
      </div>
      <TextArea
        label={t('skills.description')}
        hint={mayChange ? t('skills.descriptionHint') : undefined}
        readOnly={!mayChange}
        maxLength={2000}
        rows={2}
        {...field('description')}
      />
      <TextArea
        label={t('skills.content')}
        required
        readOnly={!mayChange}
        maxLength={200_000}
        rows={12}
        {...field('content')}
      />
    </>
  )
}

/** Creates or edits a skill; read-only for users without write permission. */
export function SkillEditor(props: SkillEditorProps) {
  const { skill, principals, mayOpenToAll, onClose } = props
  const { t } = useTranslation()
  const formId = useId()
  const { base, form, setForm, saving } = useSkillForm(props)
  const change: Change = (part) => setForm((before) => ({ ...before, ...part }))
  const mayChange = skill === null || skill.write_access
  const title = mayChange ? 'skills.editTitle' : 'skills.viewTitle'
  return (
    <Dialog
      wide
      onClose={onClose}
      title={skill ? t(title, { name: skill.name }) : t('skills.newTitle')}
      actions={
        mayChange ? (
          <>
            <Button onClick={onClose}>{t('common.cancel')}</Button>
            <Button tone="primary" type="submit" form={formId} busy={saving.busy}>
              {t('common.save')}
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>{t('common.close')}</Button>
        )
      }
    >
      <form id={formId} onSubmit={saving.handleSubmit} className="flex flex-col gap-5">
        <FormProblem text={saving.problem} />
        <TextFields form={form} isNew={base === null} mayChange={mayChange} change={change} />
        <SkillFiles
          skillId={base?.id ?? null}
          files={base?.files ?? []}
          added={form.added}
          removed={form.removed}
          mayChange={mayChange}
          onChange={change}
        />
        {mayChange && (
          <>
            <TagsField
              label={t('skills.tags')}
              hint={t('skills.tagsHint')}
              tags={form.tags}
              onChange={(tags) => change({ tags })}
            />
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
          </>
        )}
      </form>
    </Dialog>
  )
}
