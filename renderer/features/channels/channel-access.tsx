import { useTranslation } from 'react-i18next'
import type { AccessGrant } from '#contract/access.ts'
import { AccessPicker } from '../../ui/access/access-picker.tsx'
import type { PrincipalLoaders } from '../../ui/access/principal-search.tsx'
import { Select } from '../../ui/controls/select.tsx'

const isEverybody = ({ principal_id: id }: AccessGrant): boolean => id === '*'

export type OpenTo = 'write' | 'read'

/** Returns grants that let every signed-in user read, or read and write. */
export const grantsToAll = (openTo: OpenTo): AccessGrant[] =>
  (openTo === 'write' ? (['read', 'write'] as const) : (['read'] as const)).map((permission) => ({
    principal_type: 'user',
    principal_id: '*',
    permission,
  }))

interface ChannelAccessProps {
  readonly grants: readonly AccessGrant[]
  /** True if open to named users and groups only. */
  readonly isPrivate: boolean
  readonly loaders: PrincipalLoaders
  readonly onChange: (grants: AccessGrant[]) => void
}

/** Read and write access of a public channel. */
export function ChannelAccess({ grants, isPrivate, loaders, onChange }: ChannelAccessProps) {
  const { t } = useTranslation()
  const chosen = grants.filter((grant) => !isEverybody(grant))
  const toAll = grants.filter(isEverybody)
  const openTo: OpenTo = toAll.some(({ permission }) => permission === 'write') ? 'write' : 'read'
  return (
    <div className="flex flex-col gap-4">
      {!isPrivate && (
        <Select
          label={t('channels.access.everybody')}
          value={openTo}
          options={(['write', 'read'] as const).map((value) => ({
            value,
            label: t(`channels.access.${value}`),
          }))}
          onChange={(value) => onChange([...grantsToAll(value as OpenTo), ...chosen])}
        />
      )}
      <AccessPicker
        grants={chosen}
        loaders={loaders}
        mayOpenToAll={false}
        labels={{ read: t('channels.access.read'), write: t('channels.access.write') }}
        emptyText={t(isPrivate ? 'channels.access.nobody' : 'channels.access.nobodyElse')}
        onChange={(next) => onChange([...(isPrivate ? [] : toAll), ...next])}
      />
    </div>
  )
}
