import '../../lib/strings/access.ts'
import { Globe, Plus, UserRound, UsersRound, X } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccessGrant } from '#contract/access.ts'
import { Button } from '../controls/button.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Popover } from '../floating/popover.tsx'
import { type Principal, PrincipalSearch, type PrincipalLoaders } from './principal-search.tsx'
import { SelectBox } from '../controls/select.tsx'
import { Switch } from '../controls/switch.tsx'

export type { Principal, PrincipalLoaders } from './principal-search.tsx'

interface AccessPickerProps {
  readonly grants: readonly AccessGrant[]
  readonly onChange: (grants: AccessGrant[]) => void
  readonly loaders: PrincipalLoaders
  /** True if write access can be granted; otherwise only read access is available. */
  readonly canWrite?: boolean
  /** True if the user may open it to everyone; closing it again is always possible. */
  readonly mayOpenToAll?: boolean
  /** Labels of the two permissions, if not "use" and "edit". */
  readonly labels?: Readonly<Record<AccessGrant['permission'], string>>
  /** Text shown while no principal is chosen. */
  readonly emptyText?: string
}

interface GrantLine {
  readonly principal: Principal
  readonly permission: AccessGrant['permission']
}

const keyOf = ({ type, id }: Pick<Principal, 'type' | 'id'>): string => `${type}:${id}`
const isEverybody = (grant: AccessGrant): boolean => grant.principal_id === '*'

/** Returns one line for each principal: write access includes read access. */
export function toLines(
  grants: readonly AccessGrant[],
): readonly Pick<AccessGrant, 'principal_type' | 'principal_id' | 'permission'>[] {
  const byKey = new Map<string, AccessGrant>()
  for (const grant of grants) {
    const key = `${grant.principal_type}:${grant.principal_id}`
    if (!isEverybody(grant) && (grant.permission === 'write' || !byKey.has(key)))
      byKey.set(key, grant)
  }
  return [...byKey.values()]
}

/** Replaces a principal's grants with the wanted one. */
export function withGrant(
  grants: readonly AccessGrant[],
  { type, id }: Pick<Principal, 'type' | 'id'>,
  permission: AccessGrant['permission'] | null,
): AccessGrant[] {
  const others = grants.filter(
    (grant) => grant.principal_type !== type || grant.principal_id !== id,
  )
  if (permission === null) return others
  const grant = { principal_type: type, principal_id: id }
  return permission === 'write'
    ? [...others, { ...grant, permission: 'read' }, { ...grant, permission: 'write' }]
    : [...others, { ...grant, permission: 'read' }]
}

/**
 * Returns the names of users and groups that have a permission; unknown names are replaced by the
 * id.
 */
function useNames(grants: readonly AccessGrant[], loaders: PrincipalLoaders) {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const wanted = grants
    .filter((grant) => !isEverybody(grant))
    .map((grant) => ({ type: grant.principal_type, id: grant.principal_id }))
  const missing = wanted.filter((each) => !names.has(keyOf(each)))
  const missingKeys = missing.map(keyOf).join(' ')
  useEffect(() => {
    if (missing.length === 0) return
    let isOver = false
    void loaders.describe(missing).then((found) => {
      if (isOver) return
      setNames(
        (before) =>
          new Map([
            ...before,
            ...missing.map((each) => [keyOf(each), found.get(keyOf(each)) ?? each.id] as const),
          ]),
      )
    })
    return () => {
      isOver = true
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the keys represent the missing dependencies
  }, [missingKeys, loaders])
  const remember = ({ name, ...principal }: Principal): void =>
    setNames((before) => new Map(before).set(keyOf(principal), name))
  return { nameOf: (type: string, id: string) => names.get(`${type}:${id}`) ?? '…', remember }
}

interface LineProps extends GrantLine {
  readonly canWrite: boolean
  readonly labels: AccessPickerProps['labels']
  readonly onChange: (permission: AccessGrant['permission'] | null) => void
}

function Line({ principal, permission, canWrite, labels, onChange }: LineProps) {
  const { t } = useTranslation()
  return (
    <li className="flex min-h-11 items-center gap-2.5 ps-3 pe-1.5 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted">
      {principal.type === 'group' ? <UsersRound /> : <UserRound />}
      <bdi className="min-w-0 flex-1 truncate">{principal.name}</bdi>
      {canWrite && (
        <SelectBox
          isNarrow
          aria-label={t('access.rightOf', { name: principal.name })}
          value={permission}
          options={(['read', 'write'] as const).map((value) => ({
            value,
            label: labels?.[value] ?? t(`access.${value}`),
          }))}
          onChange={(value) => onChange(value as AccessGrant['permission'])}
          className="h-control!"
        />
      )}
      <IconButton
        label={t('access.removeOf', { name: principal.name })}
        icon={<X />}
        onClick={() => onChange(null)}
      />
    </li>
  )
}

/** Selects who else may use something: no one, chosen users and groups, or every signed-in user. */
export function AccessPicker(props: AccessPickerProps) {
  const {
    grants,
    onChange,
    loaders,
    canWrite = true,
    mayOpenToAll = true,
    labels,
    emptyText,
  } = props
  const { t } = useTranslation()
  const [adding, setAdding] = useState(false)
  const titleId = useId()
  const { nameOf, remember } = useNames(grants, loaders)
  const open = grants.some(isEverybody)
  const lines = toLines(grants)
  const add = (principal: Principal): void => {
    setAdding(false)
    remember(principal)
    onChange(withGrant(grants, principal, 'read'))
  }
  return (
    <div className="flex flex-col gap-3">
      {(mayOpenToAll || open) && (
        <Switch
          label={t('access.everybody')}
          hint={t('access.everybodyHint')}
          checked={open}
          onChange={(everybody) =>
            onChange(withGrant(grants, { type: 'user', id: '*' }, everybody ? 'read' : null))
          }
        />
      )}
      <div className="flex items-center justify-between gap-3">
        <h3 id={titleId} className="font-medium">
          {t('access.chosen')}
        </h3>
        <Popover
          open={adding}
          onOpenChange={setAdding}
          align="end"
          label={t('access.add')}
          className="w-80"
          trigger={<Button icon={<Plus className="size-4" />}>{t('access.add')}</Button>}
        >
          <PrincipalSearch loaders={loaders} onChoose={add} />
        </Popover>
      </div>
      {lines.length === 0 ? (
        <p className="flex items-center gap-2 text-small text-muted">
          {open && <Globe className="size-3.5" />}
          {emptyText ?? (open ? t('access.openToAll') : t('access.private'))}
        </p>
      ) : (
        <ul
          aria-labelledby={titleId}
          className="divide-y divide-line rounded-medium border border-line"
        >
          {lines.map(({ principal_type: type, principal_id: id, permission }) => (
            <Line
              key={`${type}:${id}`}
              principal={{ type, id, name: nameOf(type, id) }}
              permission={permission}
              canWrite={canWrite}
              labels={labels}
              onChange={(wanted) => onChange(withGrant(grants, { type, id }, wanted))}
            />
          ))}
        </ul>
      )}
    </div>
  )
}
