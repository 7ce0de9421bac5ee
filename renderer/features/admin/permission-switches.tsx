import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Permissions, PermissionsInput } from '#contract/permissions.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { SearchBox } from '../../ui/fields/search-box.tsx'
import { SwitchControl } from '../../ui/controls/switch.tsx'
import { type Branch, BRANCHES, isOn, type Permission, permissionsOf } from './permission-tree.ts'

interface PermissionSwitchesProps {
  readonly defaults: Permissions
  /** Permissions a group adds; without it the defaults themselves are changed. */
  readonly added?: PermissionsInput
  readonly onChange: (permission: Permission, isOn: boolean) => void
}

interface RowProps extends PermissionSwitchesProps {
  readonly permission: Permission
}

function Row({ permission, defaults, added, onChange }: RowProps) {
  const { t } = useTranslation()
  const id = useId()
  const helpId = `${id}-help`
  const isDefault = isOn(defaults, permission)
  const isFixed = added !== undefined && isDefault
  return (
    <li className="flex min-h-11 items-center gap-3 px-4 py-2.5">
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="font-medium">
          {t(`admin.permission.${permission}`)}
        </label>
        <p id={helpId} className="text-small text-pretty text-muted">
          {t(`admin.permissionHelp.${permission}`)}
        </p>
      </div>
      {isFixed && <Badge>{t('admin.permissions.fromDefaults')}</Badge>}
      {added && !isDefault && isOn(added, permission) && (
        <Badge tone="accent">{t('admin.permissions.added')}</Badge>
      )}
      <SwitchControl
        id={id}
        aria-describedby={helpId}
        checked={isDefault || (added !== undefined && isOn(added, permission))}
        disabled={isFixed}
        onChange={(checked) => onChange(permission, checked)}
      />
    </li>
  )
}

interface BranchProps extends PermissionSwitchesProps {
  readonly branch: Branch
  readonly permissions: readonly Permission[]
}

function BranchList({ branch, permissions, ...rest }: BranchProps) {
  const { t } = useTranslation()
  const id = useId()
  // In a group the permissions are a section of the page, otherwise the page itself.
  const Heading = rest.added ? 'h3' : 'h2'
  return (
    <section aria-labelledby={id}>
      <Heading id={id} className="mb-1.5 font-medium">
        {t(`admin.permissions.branches.${branch}`)}
      </Heading>
      <ul className="divide-y divide-line rounded-large border border-line bg-raised">
        {permissions.map((permission) => (
          <Row key={permission} permission={permission} {...rest} />
        ))}
      </ul>
    </section>
  )
}

/** Every permission as a switch. For a group, the switches show inherited and added permissions. */
export function PermissionSwitches(props: PermissionSwitchesProps) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (branch: Branch, permission: Permission): boolean => {
    const text = [
      t(`admin.permissions.branches.${branch}`),
      t(`admin.permission.${permission}`),
      t(`admin.permissionHelp.${permission}`),
    ]
      .join(' ')
      .toLowerCase()
    return words.every((word) => text.includes(word))
  }
  const shown = BRANCHES.map((branch) => ({
    branch,
    permissions: permissionsOf(props.defaults, branch).filter((each) => fits(branch, each)),
  })).filter(({ permissions }) => permissions.length > 0)
  return (
    <div className="flex flex-col gap-5">
      <SearchBox label={t('admin.permissions.search')} value={query} onChange={setQuery} />
      {shown.length === 0 && <p className="text-muted">{t('admin.permissions.none')}</p>}
      {shown.map(({ branch, permissions }) => (
        <BranchList key={branch} branch={branch} permissions={permissions} {...props} />
      ))}
    </div>
  )
}
