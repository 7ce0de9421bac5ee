import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccessGrant } from '#contract/access.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { AccessPicker, type PrincipalLoaders } from '../../ui/access/access-picker.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'

interface ShareAccessProps {
  readonly shareId: string
  readonly loaders: PrincipalLoaders
  readonly mayOpenToAll: boolean
}

/** Access to a share link; every change is applied immediately. */
export function ShareAccess({ shareId, loaders, mayOpenToAll }: ShareAccessProps) {
  const { t } = useTranslation()
  const [grants, setGrants] = useState<readonly AccessGrant[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const params = { share_id: shareId }
  useEffect(() => {
    call(endpoints.chats.getAccess, { params: { share_id: shareId } }).then(
      setGrants,
      (thrown: unknown) => setProblem(toSentence(thrown)),
    )
  }, [shareId])
  const change = async (wanted: AccessGrant[]): Promise<void> => {
    setGrants(wanted)
    setProblem(null)
    try {
      await call(endpoints.chats.updateAccess, {
        params,
        query: { reply: 'minimal' },
        body: { access_grants: wanted },
      })
      setGrants(await call(endpoints.chats.getAccess, { params }))
    } catch (thrown) {
      setGrants(grants)
      setProblem(t('share.accessFailed', { problem: toSentence(thrown) }))
    }
  }
  return (
    // Reserves the height of the loaded content, so that nothing jumps.
    <div className="flex min-h-36 flex-col gap-3 border-t border-line pt-4">
      <FormProblem text={problem} />
      {grants && (
        <AccessPicker
          grants={grants}
          canWrite={false}
          mayOpenToAll={mayOpenToAll}
          loaders={loaders}
          onChange={(wanted) => void change(wanted)}
        />
      )}
    </div>
  )
}
