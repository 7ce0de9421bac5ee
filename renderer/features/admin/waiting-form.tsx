import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../api/use-action.ts'
import { SaveButton } from '../../ui/controls/save-button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { Markdown } from '../../ui/markdown/markdown.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { saveWaiting, type Waiting } from './announcements-store.ts'

/** Editor of the page for users whose account awaits approval, with a preview. */
export function WaitingForm({ start, onSaved }: { start: Waiting; onSaved: () => void }) {
  const { t } = useTranslation()
  const [stored, setStored] = useState(start)
  const [draft, setDraft] = useState(start)
  const isChanged = draft.title !== stored.title || draft.content !== stored.content
  const { busy, problem, handleSubmit } = useAction(async () => {
    await saveWaiting(draft)
    setStored(draft)
    toast({ text: t('common.saved') })
    onSaved()
  })
  return (
    <PageSection
      title={t('admin.announcements.waiting')}
      text={t('admin.announcements.waitingText')}
    >
      <form onSubmit={handleSubmit} className="flex flex-col gap-4">
        <FormProblem text={problem} />
        <TextField
          label={t('admin.announcements.title')}
          placeholder={t('auth.pendingTitle')}
          maxLength={500}
          value={draft.title}
          onChange={(title) => setDraft({ ...draft, title })}
        />
        <TextArea
          label={t('admin.announcements.content')}
          hint={t('admin.announcements.markdown')}
          placeholder={t('auth.pendingText')}
          maxLength={10_000}
          value={draft.content}
          onChange={(content) => setDraft({ ...draft, content })}
        />
        <figure className="rounded-large border border-line bg-sidebar px-6 py-8 text-center">
          <figcaption className="sr-only">{t('admin.announcements.preview')}</figcaption>
          <p className="text-head-2 font-semibold text-balance">
            {draft.title.trim() || t('auth.pendingTitle')}
          </p>
          <div className="mt-1.5 text-muted">
            {draft.content.trim() ? (
              <Markdown text={draft.content} />
            ) : (
              <p>{t('auth.pendingText')}</p>
            )}
          </div>
        </figure>
        <SaveButton busy={busy} disabled={!isChanged}>
          {t('admin.announcements.saveWaiting')}
        </SaveButton>
      </form>
    </PageSection>
  )
}
