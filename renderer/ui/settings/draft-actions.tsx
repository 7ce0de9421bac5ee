import '../../lib/strings/setting-pages.ts'
import { useTranslation } from 'react-i18next'
import { Button } from '../controls/button.tsx'
import { FormProblem } from '../dialogs/form-problem.tsx'

interface DraftActionsProps {
  readonly saving: { readonly busy: boolean; readonly problem: string | null }
  readonly isChanged: boolean
  /** True if the environment fixes one of the settings. */
  readonly isLocked: boolean
  readonly discardLabel: string
  readonly unsavedText: string
  readonly onDiscard: () => void
}

/** End of a form of settings that are saved together. */
export function DraftActions({
  saving,
  isChanged,
  isLocked,
  discardLabel,
  unsavedText,
  onDiscard,
}: DraftActionsProps) {
  const { t } = useTranslation()
  return (
    <>
      {isLocked && <p className="text-small text-muted">{t('settingPages.gateway.locked')}</p>}
      <FormProblem text={saving.problem} />
      <div className="flex flex-wrap items-center gap-2">
        <Button tone="primary" type="submit" busy={saving.busy} disabled={!isChanged}>
          {t('common.save')}
        </Button>
        {isChanged && (
          <>
            <Button tone="quiet" onClick={onDiscard}>
              {discardLabel}
            </Button>
            <span className="text-small text-muted">{unsavedText}</span>
          </>
        )}
      </div>
    </>
  )
}
