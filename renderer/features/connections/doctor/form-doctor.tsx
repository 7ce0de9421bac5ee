import '../../../lib/strings/doctor.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/connections.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { fromDraft, type ConnectionDraft } from '../connection-draft.ts'
import { variableOf } from '../connection-name.ts'
import { DoctorWalk } from './doctor-walk.tsx'
import { isAround, mendAround, type AroundChange, type MendChange } from './mend-change.ts'
import type { Examined } from './use-walk.ts'

function toPart(change: Exclude<MendChange, AroundChange>): Partial<ConnectionDraft> {
  const { kind, url, key, enabled, model_ids: models, timeout_seconds: seconds } = change
  const { use_proxy: useProxy, trusted_certificate: trustedCertificate } = change
  return {
    ...(kind !== undefined && { kind }),
    ...(url !== undefined && { url }),
    ...(key !== undefined && { key }),
    ...(enabled !== undefined && { enabled }),
    ...(models !== undefined && { models: models.join('\n') }),
    ...(useProxy !== undefined && { useProxy }),
    ...(trustedCertificate !== undefined && { trustedCertificate }),
    ...(seconds !== undefined && { timeout: String(seconds) }),
  }
}

interface FormDoctorProps {
  readonly draft: ConnectionDraft
  readonly id: string | null
  readonly existing: Connection | null
  readonly onMend: (part: Partial<ConnectionDraft>) => void
}

/** Checks the connection in a form, and writes fixes into that form. */
export function FormDoctor({ draft, id, existing, onMend }: FormDoctorProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  if (!isOpen)
    return (
      <Button className="self-start" onClick={() => setOpen(true)}>
        {t('doctor.begin')}
      </Button>
    )
  const mend = async (change: MendChange): Promise<Examined> => {
    if (isAround(change)) {
      await mendAround(change)
      return { input: fromDraft(draft), id }
    }
    const part = toPart(change)
    onMend(part)
    return { input: fromDraft({ ...draft, ...part }), id }
  }
  return (
    <DoctorWalk
      input={fromDraft(draft)}
      id={id}
      fixedBy={existing?.origin === 'environment' ? variableOf(existing) : null}
      onMend={mend}
    />
  )
}
