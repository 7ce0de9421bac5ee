import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { ApiError } from '../../api/api-error.ts'
import { translate } from '../../lib/i18n.ts'
import { Button } from '../controls/button.tsx'
import { CopyButton } from '../controls/copy-button.tsx'
import { Dialog } from './dialog.tsx'

type Choice = 'mine' | 'theirs' | 'neither'

interface Question {
  /** Main text of the newest version; empty if it has none. */
  readonly theirs: string
  readonly answer: (choice: Choice) => void
}

const questionStore = createStore<{ readonly asked: Question | null }>(() => ({ asked: null }))

const ask = (theirs: string): Promise<Choice> =>
  new Promise((resolve) => {
    const answer = (choice: Choice): void => {
      questionStore.setState({ asked: null })
      resolve(choice)
    }
    questionStore.setState({ asked: { theirs, answer } })
  })

interface KnownSave<Stored> {
  /** The version that was opened; null if it was not stored. */
  readonly known: Stored | null
  /** Stores the typed text; the gateway refuses it if `base` is not the newest version. */
  readonly save: (base: Stored | null) => Promise<Stored>
  readonly readNewest: () => Promise<Stored>
  /** Returns what the form edits: a version that differs in nothing else needs no question. */
  readonly toForm: (stored: Stored) => unknown
  readonly textOf: (stored: Stored) => string
}

export interface KnownSaved<Stored> {
  readonly newest: Stored
  /** False if the user chose the text of the others. */
  readonly isMine: boolean
}

/**
 * Saves a form about something other people may have changed since it was opened. If they did, the
 * user chooses which of the two texts stays.
 */
export async function saveKnown<Stored>(options: KnownSave<Stored>): Promise<KnownSaved<Stored>> {
  const { known, save, readNewest, toForm, textOf } = options
  try {
    return { newest: await save(known), isMine: true }
  } catch (thrown) {
    if (!(thrown instanceof ApiError && thrown.code === 'changed_meanwhile')) throw thrown
  }
  const newest = await readNewest()
  const isSame = known !== null && JSON.stringify(toForm(known)) === JSON.stringify(toForm(newest))
  const choice = isSame ? 'mine' : await ask(textOf(newest))
  if (choice === 'mine') return saveKnown({ ...options, known: newest })
  if (choice === 'theirs') return { newest, isMine: false }
  throw new Error(translate('lists.changed.notSaved'))
}

/** Asks which text stays after somebody else saved the same thing; mounted once. */
export function ChangedElsewhereDialog() {
  const { t } = useTranslation()
  const { asked } = useStore(questionStore)
  if (!asked) return null
  const { theirs, answer } = asked
  return (
    <Dialog
      wide
      onClose={() => answer('neither')}
      title={t('lists.changed.title')}
      description={t('lists.changed.text')}
      actions={
        <>
          <Button onClick={() => answer('neither')}>{t('lists.changed.back')}</Button>
          <Button tone="danger" onClick={() => answer('theirs')}>
            {t('lists.changed.takeNewest')}
          </Button>
          <Button tone="primary" onClick={() => answer('mine')}>
            {t('lists.changed.keepMine')}
          </Button>
        </>
      }
    >
      {theirs && (
        <section aria-label={t('lists.changed.newest')} className="flex flex-col gap-2">
          <div className="flex items-center justify-between gap-2">
            <h2 className="font-medium">{t('lists.changed.newest')}</h2>
            <CopyButton text={theirs} />
          </div>
          <pre
            dir="auto"
            className="max-h-64 overflow-y-auto rounded-medium bg-sunken p-3 text-small wrap-anywhere whitespace-pre-wrap"
          >
            {theirs}
          </pre>
        </section>
      )}
    </Dialog>
  )
}
