import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { type AttachedEntry, toPageEntry } from '../../../ui/attachments/attached-entry.ts'
import { toPageAddress } from '../../../lib/page-address.ts'

interface PageDialogProps {
  readonly onAdd: (entry: AttachedEntry) => void
  readonly onClose: () => void
}

/** Asks for the URL of a page; the gateway fetches it when the message is sent. */
export function PageDialog({ onAdd, onClose }: PageDialogProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [isRefused, setRefused] = useState(false)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const address = toPageAddress(text)
    if (address === null) return setRefused(true)
    onAdd(toPageEntry(address))
    onClose()
  }
  return (
    <FormDialog
      title={t('chat.attachments.pageTitle')}
      description={t('chat.attachments.pageText')}
      submission={{ handleSubmit: submit }}
      submitLabel={t('chat.attachments.attach')}
      onClose={onClose}
    >
      <TextField
        label={t('chat.attachments.address')}
        value={text}
        inputMode="url"
        autoComplete="off"
        dir="ltr"
        placeholder="https://"
        error={isRefused ? t('chat.attachments.noAddress') : null}
        onChange={(value) => {
          setText(value)
          setRefused(false)
        }}
      />
    </FormDialog>
  )
}
