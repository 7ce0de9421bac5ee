import { BookOpenText, Download, Eye, Pencil, Power, PowerOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { SkillEntry } from '#contract/skills.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { AccessMark } from '../../ui/lists/access-mark.tsx'
import { ListRow } from '../../ui/lists/list-row.tsx'
import { MenuItem } from '../../ui/floating/menu.tsx'
import { MoreMenu, RemovalItem } from '../../ui/floating/more-menu.tsx'

interface SkillRowProps {
  readonly skill: SkillEntry
  readonly onOpen: () => void
  readonly onToggle: () => void
  readonly onExport: () => void
  readonly onRemove: () => void
}

function RowMenu({ skill, onOpen, onToggle, onExport, onRemove }: SkillRowProps) {
  const { t } = useTranslation()
  const { write_access: mayChange } = skill
  return (
    <MoreMenu label={t('skills.actionsOf', { name: skill.name })}>
      <MenuItem icon={mayChange ? <Pencil /> : <Eye />} onSelect={onOpen}>
        {mayChange ? t('common.edit') : t('skills.view')}
      </MenuItem>
      {mayChange && (
        <MenuItem icon={skill.is_active ? <PowerOff /> : <Power />} onSelect={onToggle}>
          {skill.is_active ? t('skills.switchOff') : t('skills.switchOn')}
        </MenuItem>
      )}
      <MenuItem icon={<Download />} onSelect={onExport}>
        {t('skills.export')}
      </MenuItem>
      {mayChange && <RemovalItem onSelect={onRemove} />}
    </MoreMenu>
  )
}

/** One skill of the list; a click opens it. */
export function SkillRow(props: SkillRowProps) {
  const { t } = useTranslation()
  const { skill, onOpen } = props
  return (
    <ListRow
      icon={<BookOpenText />}
      name={skill.name}
      onOpen={onOpen}
      aside={
        <bdi className="max-w-full truncate text-small text-accent-strong dark:text-accent">
          {skill.id}
        </bdi>
      }
      badges={!skill.is_active && <Badge>{t('skills.off')}</Badge>}
      tags={skill.meta.tags ?? []}
      description={skill.description ?? ''}
      facts={[
        skill.write_access ? (
          <AccessMark key="access" grants={skill.access_grants} />
        ) : (
          skill.user && t('skills.by', { name: skill.user.name })
        ),
      ]}
      menu={<RowMenu {...props} />}
    />
  )
}
