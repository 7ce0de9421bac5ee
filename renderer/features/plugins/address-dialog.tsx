import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../api/use-action.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'

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
  const submission = useAction(() => onLoad(url.trim()), onLoaded)
  return (
    <FormDialog
      title={t('plugins.address.title')}
      description={t('plugins.address.text')}
      submission={submission}
      submitLabel={t('plugins.address.load')}
      isReady={url.trim() !== ''}
      onClose={onClose}
    >
      <TextField
        label={t('plugins.address.url')}
        value={url}
        inputMode="url"
        dir="ltr"
        placeholder="https://"
        onChange={setUrl}
      />
    </FormDialog>
  )
}
