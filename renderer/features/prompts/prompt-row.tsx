import {
  CopyPlus,
  Download,
  Ellipsis,
  History,
  Pencil,
  Power,
  PowerOff,
  Trash2,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Prompt } from '#contract/prompts.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { toSlash } from './rank-prompts.ts'

interface PromptRowProps {
  readonly prompt: Prompt
  readonly canCopy: boolean
  readonly canExport: boolean
  readonly onEdit: () => void
  readonly onCopy: () => void
  readonly onHistory: () => void
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
  onToggle,
  onExport,
  onRemove,
}: PromptRowProps) {
  const { t } = useTranslation()
  const { write_access: mayChange } = prompt
  return (
    <Menu
      trigger={
        <IconButton label={t('prompts.actionsOf', { name: prompt.name })} icon={<Ellipsis />} />
      }
    >
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
      {mayChange && (
        <>
          <MenuSeparator />
          <MenuItem danger icon={<Trash2 />} onSelect={onRemove}>
            {t('common.delete')}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

/** One prompt of the library; a click opens it. */
export function PromptRow(props: PromptRowProps) {
  const { t } = useTranslation()
  const { prompt, onEdit, onHistory } = props
  return (
    <li className="flex items-start gap-2 py-2.5 ps-4 pe-2">
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <button
            type="button"
            onClick={prompt.write_access ? onEdit : onHistory}
            className="max-w-full truncate rounded-small text-start font-medium hover:underline pointer-coarse:py-2.5"
          >
            <bdi>{prompt.name}</bdi>
          </button>
          <bdi className="max-w-full truncate text-small text-accent-strong dark:text-accent">
            {toSlash(prompt.command)}
          </bdi>
          {!prompt.is_active && <Badge>{t('prompts.off')}</Badge>}
          {prompt.tags.map((tag) => (
            <Badge key={tag}>
              <bdi className="max-w-40 truncate">{tag}</bdi>
            </Badge>
          ))}
        </span>
        <bdi className="mt-0.5 line-clamp-2 text-small break-words text-muted">
          {prompt.content}
        </bdi>
        {!prompt.write_access && prompt.user && (
          <span className="mt-0.5 block text-small text-muted">
            {t('prompts.by', { name: prompt.user.name })}
          </span>
        )}
      </span>
      <RowMenu {...props} />
    </li>
  )
}
