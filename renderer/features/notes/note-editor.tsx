import { ArrowLeft, Eye, Pencil, Pin, PinOff, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccessGrant } from '#contract/access.ts'
import type { Note } from '#contract/notes.ts'
import { useAction } from '../../api/use-action.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { workspacePath } from '../../lib/router.ts'
import { AccessPicker, type PrincipalLoaders } from '../../ui/access/access-picker.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { Markdown } from '../../ui/markdown/markdown.tsx'
import { MenuItem } from '../../ui/floating/menu.tsx'
import { MoreMenu, RemovalItem } from '../../ui/floating/more-menu.tsx'
import { toastError } from '../../ui/floating/toast.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { type NotesStore, shareNote, textOf, togglePin } from './notes-store.ts'
import { useNote, useNoteSaver } from './use-note.ts'

interface NoteEditorProps {
  readonly store: NotesStore
  readonly id: string
  readonly principals: PrincipalLoaders
  readonly mayShare: boolean
  readonly mayOpenToAll: boolean
  readonly onRemove: (note: Note) => void
}

interface ShareDialogProps extends NoteEditorProps {
  readonly note: Note
  readonly onClose: () => void
}

function ShareDialog({ store, note, principals, mayOpenToAll, onClose }: ShareDialogProps) {
  const { t } = useTranslation()
  const [grants, setGrants] = useState<AccessGrant[]>(note.access_grants)
  const saving = useAction(async () => {
    await shareNote(store, note.id, grants)
  }, onClose)
  return (
    <Dialog
      onClose={onClose}
      title={t('notes.shareTitle')}
      description={t('notes.shareText')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button tone="primary" busy={saving.busy} onClick={() => void saving.run()}>
            {t('common.save')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FormProblem text={saving.problem} />
        <AccessPicker
          grants={grants}
          loaders={principals}
          mayOpenToAll={mayOpenToAll}
          onChange={setGrants}
        />
      </div>
    </Dialog>
  )
}

interface NoteMenuProps extends NoteEditorProps {
  readonly note: Note
  readonly onShare: () => void
}

function NoteMenu({ store, note, mayShare, onShare, onRemove }: NoteMenuProps) {
  const { t } = useTranslation()
  return (
    <MoreMenu label={t('notes.actions')}>
      <MenuItem
        icon={note.is_pinned ? <PinOff /> : <Pin />}
        onSelect={() => void togglePin(store, note.id).catch(toastError)}
      >
        {note.is_pinned ? t('notes.unpin') : t('notes.pin')}
      </MenuItem>
      {mayShare && (
        <MenuItem icon={<UsersRound />} onSelect={onShare}>
          {t('notes.share')}
        </MenuItem>
      )}
      <RemovalItem onSelect={() => onRemove(note)} />
    </MoreMenu>
  )
}

function Reader({ note }: { note: Note }) {
  const { t } = useTranslation()
  return (
    <>
      <h1 className="text-head-2 font-semibold wrap-anywhere">
        <bdi>{note.title || t('notes.untitled')}</bdi>
      </h1>
      <p className="mt-1 mb-6 text-small text-muted">
        {t('notes.readOnly', { name: note.user?.name ?? '' })}
      </p>
      <Markdown text={textOf(note)} />
    </>
  )
}

function Writer(props: NoteMenuProps) {
  const { store, id, note } = props
  const { t } = useTranslation()
  const { state, isStale, saver, keepMine, takeNewest } = useNoteSaver(store, id, note.updated_at)
  const [typed, setTyped] = useState({ title: note.title, text: textOf(note) })
  const [showsPreview, setShowsPreview] = useState(false)
  const change = (part: Partial<typeof typed>): void => {
    const next = { ...typed, ...part }
    setTyped(next)
    saver.keep(next)
  }
  const loading = useAction(async () => setTyped(await takeNewest()))
  return (
    <>
      <div className="flex items-start gap-1">
        <input
          aria-label={t('notes.noteTitle')}
          placeholder={t('notes.untitled')}
          maxLength={500}
          dir="auto"
          autoComplete="off"
          value={typed.title}
          onChange={({ target }) => change({ title: target.value })}
          className="min-w-0 flex-1 rounded-small bg-transparent text-head-2 font-semibold tracking-[-0.01em] outline-none placeholder:text-muted focus-visible:bg-hover"
        />
        <IconButton
          label={showsPreview ? t('notes.write') : t('notes.preview')}
          aria-pressed={showsPreview}
          icon={showsPreview ? <Pencil /> : <Eye />}
          onClick={() => setShowsPreview(!showsPreview)}
        />
        <NoteMenu {...props} />
      </div>
      <div className="mt-1 mb-4 flex min-h-8 flex-wrap items-center gap-2 text-small text-muted">
        <output>
          {isStale
            ? `${t('notes.changedElsewhere')} ${t('notes.changedElsewhereHint')}`
            : t(`notes.state.${state}`)}
        </output>
        <FormProblem text={loading.problem} />
        {isStale && (
          <>
            <Button busy={loading.busy} onClick={() => void loading.run()}>
              {t('notes.loadNewest')}
            </Button>
            <Button onClick={keepMine}>{t('notes.keepMine')}</Button>
          </>
        )}
        {state === 'failed' && (
          <>
            {!isStale && <Button onClick={saver.flush}>{t('common.retry')}</Button>}
            <CopyButton text={typed.text} label={t('notes.copyText')} />
          </>
        )}
      </div>
      {showsPreview ? (
        <Markdown text={typed.text} />
      ) : (
        <textarea
          aria-label={t('notes.noteText')}
          placeholder={t('notes.placeholder')}
          dir="auto"
          value={typed.text}
          onChange={({ target }) => change({ text: target.value })}
          onBlur={saver.flush}
          className="field-sizing-content min-h-[50dvh] w-full resize-none rounded-small bg-transparent text-message outline-none placeholder:text-muted"
        />
      )}
    </>
  )
}

/** One note: written in plain Markdown and saved while typing. */
export function NoteEditor(props: NoteEditorProps) {
  const { store, id } = props
  const { t } = useTranslation()
  const { note, status, problem } = useNote(store, id)
  const [isSharing, setSharing] = useState(false)
  return (
    <div className="mx-auto max-w-3xl">
      <a
        href={workspacePath('notes')}
        onClick={handleLink}
        className="mb-4 -ms-2 inline-flex h-control items-center gap-2 rounded-medium px-2 text-muted no-underline hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
      >
        <ArrowLeft className="size-4 rtl:-scale-x-100" />
        {t('notes.back')}
      </a>
      {status === 'loading' && <PageWait />}
      {(status === 'gone' || status === 'failed') && (
        <EmptyState title={status === 'gone' ? t('notes.gone') : t('notes.loadFailed')}>
          {status === 'gone' ? t('notes.goneHint') : problem}
        </EmptyState>
      )}
      {status === 'ready' &&
        note &&
        (note.write_access ? (
          <Writer {...props} note={note} onShare={() => setSharing(true)} />
        ) : (
          <Reader note={note} />
        ))}
      {isSharing && note && (
        <ShareDialog {...props} note={note} onClose={() => setSharing(false)} />
      )}
    </div>
  )
}
