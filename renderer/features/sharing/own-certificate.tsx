import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharingStatus } from '#contract/sharing.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { formatDay } from '../../lib/format-time.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { TextArea } from '../../ui/fields/text-field.tsx'
import type { SharingStore } from './sharing-store.ts'

/** Settings for a custom certificate that the devices already trust. */
export function OwnCertificate({ store, status }: { store: SharingStore; status: SharingStatus }) {
  const { t } = useTranslation()
  const [certificate, setCertificate] = useState('')
  const [key, setKey] = useState('')
  const bring = useAction(async () => {
    const body = { certificate, key }
    store.setState({ status: await call(endpoints.sharing.bringCertificate, { body }) })
    setCertificate('')
    setKey('')
  })
  const drop = useAction(async () =>
    store.setState({ status: await call(endpoints.sharing.dropCertificate, {}) }),
  )
  const own = status.certificate?.own === true ? status.certificate : null
  return (
    <FoldOut title={t('sharing.own')}>
      <form onSubmit={bring.handleSubmit} className="flex flex-col gap-4">
        <p className="text-muted">
          {own ? t('sharing.ownInUse', { day: formatDay(own.ends_at) }) : t('sharing.ownText')}
        </p>
        <FormProblem text={bring.problem ?? drop.problem} />
        <TextArea
          label={t('sharing.certificate')}
          className="font-mono"
          dir="ltr"
          spellCheck={false}
          value={certificate}
          onChange={setCertificate}
        />
        <TextArea
          label={t('sharing.key')}
          className="font-mono"
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          value={key}
          onChange={setKey}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" busy={bring.busy} disabled={!certificate.trim() || !key.trim()}>
            {t('sharing.useOwn')}
          </Button>
          {own && (
            <Button tone="quiet" busy={drop.busy} onClick={() => void drop.run()}>
              {t('sharing.dropOwn')}
            </Button>
          )}
        </div>
      </form>
    </FoldOut>
  )
}
