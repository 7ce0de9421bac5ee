import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextField } from '../../ui/text-field.tsx'

interface LoadedSource {
  readonly name: string
  readonly content: string
}

interface AddressDialogProps {
  readonly onLoad: (url: string) => Promise<LoadedSource>
  readonly onLoaded: (source: LoadedSource) => void
  readonly onClose: () => void
}

/** Asks for the URL of a source; it is only loaded, not stored or executed. */
export function AddressDialog({ onLoad, onLoaded, onClose }: AddressDialogProps) {
  const { t } = useTranslation()
  const [url, setUrl] = useState('')
  const { busy, problem, handleSubmit } = useAction(() => onLoad(url.trim()), onLoaded)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('plugins.address.title')}
      description={t('plugins.address.text')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            tone="primary"
            type="submit"
            form="plugin-address"
            busy={busy}
            disabled={url.trim() === ''}
          >
            {t('plugins.address.load')}
          </Button>
        </>
      }
    >
      <form id="plugin-address" onSubmit={handleSubmit} className="flex flex-col gap-3">
        <FormProblem text={problem} />
        <TextField
          label={t('plugins.address.url')}
          value={url}
          inputMode="url"
          dir="ltr"
          placeholder="https://"
          onChange={(event) => setUrl(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
