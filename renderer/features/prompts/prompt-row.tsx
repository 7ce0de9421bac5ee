import {
  CopyPlus,
  Download,
  History,
  ListChecks,
  Pencil,
  Power,
  PowerOff,
  SquareSlash,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Prompt } from '#contract/prompts.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { AccessMark } from '../../ui/lists/access-mark.tsx'
import { ListRow } from '../../ui/lists/list-row.tsx'
import { MenuItem } from '../../ui/floating/menu.tsx'
import { MoreMenu, RemovalItem } from '../../ui/floating/more-menu.tsx'
import { toSlash } from './rank-prompts.ts'

interface PromptRowProps {
  readonly prompt: Prompt
  readonly canCopy: boolean
  readonly canExport: boolean
  readonly onEdit: () => void
  readonly onCopy: () => void
  readonly onHistory: () => void
  readonly onChecks: () => void
  readonly onToggle: () => void
  readonly onExport: () => void
  readonly onRemove: () => void
}

function RowMenu({
  prompt,
  canCopy,
  canExport,
  onEdit,
  onCopy,
  onHistory,
  onChecks,
  onToggle,
  onExport,
  onRemove,
}: PromptRowProps) {
  const { t } = useTranslation()
  const { write_access: mayChange } = prompt
  return (
    <MoreMenu label={t('prompts.actionsOf', { name: prompt.name })}>
      {mayChange && (
        <MenuItem icon={<Pencil />} onSelect={onEdit}>
          {t('common.edit')}
        </MenuItem>
      )}
      {canCopy && (
        <MenuItem icon={<CopyPlus />} onSelect={onCopy}>
          {t('prompts.clone')}
        </MenuItem>
      )}
      <MenuItem icon={<History />} onSelect={onHistory}>
        {t('prompts.versions')}
      </MenuItem>
      <MenuItem icon={<ListChecks />} onSelect={onChecks}>
        {t('prompts.checks')}
      </MenuItem>
      {mayChange && (
        <MenuItem icon={prompt.is_active ? <PowerOff /> : <Power />} onSelect={onToggle}>
          {prompt.is_active ? t('prompts.switchOff') : t('prompts.switchOn')}
        </MenuItem>
      )}
      {canExport && (
        <MenuItem icon={<Download />} onSelect={onExport}>
          {t('prompts.exportOne')}
        </MenuItem>
      )}
      {mayChange && <RemovalItem onSelect={onRemove} />}
    </MoreMenu>
  )
}

/** One prompt of the library; a click opens it. */
export function PromptRow(props: PromptRowProps) {
  const { t } = useTranslation()
  const { prompt, onEdit, onHistory } = props
  return (
    <ListRow
      icon={<SquareSlash />}
      name={prompt.name}
      onOpen={prompt.write_access ? onEdit : onHistory}
      aside={
        <bdi className="max-w-full truncate text-small text-accent-strong dark:text-accent">
          {toSlash(prompt.command)}
        </bdi>
      }
      badges={!prompt.is_active && <Badge>{t('prompts.off')}</Badge>}
      tags={prompt.tags}
      description={prompt.content}
      facts={[
        prompt.write_access ? (
          <AccessMark key="access" grants={prompt.access_grants} />
        ) : (
          prompt.user && t('prompts.by', { name: prompt.user.name })
        ),
      ]}
      menu={<RowMenu {...props} />}
    />
  )
}
