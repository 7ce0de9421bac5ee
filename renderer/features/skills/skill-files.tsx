import { Download, FileText, Paperclip, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { SkillFile } from '#contract/skills.ts'
import { downloadReply } from '../../api/download-reply.ts'
import { endpoints } from '../../api/client.ts'
import { formatBytes } from '../../lib/format-size.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { useFilePicker } from '../../ui/fields/file-picker.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { toastError } from '../../ui/floating/toast.tsx'
import { refuseFile } from './skills-store.ts'

interface SkillFilesProps {
  /** Skill id; null if it is not stored yet. */
  readonly skillId: string | null
  readonly files: readonly SkillFile[]
  readonly added: readonly File[]
  readonly removed: readonly string[]
  readonly mayChange: boolean
  readonly onChange: (part: { added?: readonly File[]; removed?: readonly string[] }) => void
}

function FileLine({
  path,
  size,
  isNew = false,
  onDownload,
  onRemove,
}: {
  path: string
  size: number
  isNew?: boolean
  onDownload?: () => void
  onRemove?: () => void
}) {
  const { t } = useTranslation()
  return (
    <li className="flex min-w-0 items-center gap-2 py-1 ps-3 pe-1">
      <FileText className="size-4 shrink-0 text-muted" />
      <bdi className="min-w-0 flex-1 wrap-anywhere">{path}</bdi>
      {isNew && <Badge tone="accent">{t('skills.fileNew')}</Badge>}
      <span className="shrink-0 text-small text-muted">{formatBytes(size)}</span>
      {onDownload && (
        <IconButton
          label={t('skills.fileDownload', { path })}
          icon={<Download />}
          onClick={onDownload}
        />
      )}
      {onRemove && (
        <IconButton label={t('skills.fileRemove', { path })} icon={<X />} onClick={onRemove} />
      )}
    </li>
  )
}

/** The files of a skill, including those to be added and removed on saving. */
export function SkillFiles(props: SkillFilesProps) {
  const { skillId, files, added, removed, mayChange, onChange } = props
  const { t } = useTranslation()
  const picker = useFilePicker(async (file) => {
    const refusal = refuseFile(file)
    if (refusal !== null) return toastError(new Error(refusal))
    onChange({ added: [...added.filter(({ name }) => name !== file.name), file] })
  }, '')
  const shown = files.filter(
    ({ path }) => !removed.includes(path) && !added.some(({ name }) => name === path),
  )
  return (
    <section aria-label={t('skills.files')}>
      {picker.input}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-medium">{t('skills.files')}</h2>
        {mayChange && (
          <Button icon={<Paperclip className="size-4" />} onClick={picker.open}>
            {t('skills.addFiles')}
          </Button>
        )}
      </div>
      {mayChange && <p className="mt-1 text-small text-muted">{t('skills.filesHint')}</p>}
      {shown.length + added.length === 0 ? (
        <p className="mt-2 text-muted">{t('skills.noFiles')}</p>
      ) : (
        <ul className="mt-2 divide-y divide-line rounded-medium border border-line">
          {shown.map(({ path, size }) => (
            <FileLine
              key={path}
              path={path}
              size={size}
              onDownload={() =>
                void downloadReply(endpoints.skills.readFile, {
                  params: { skill_id: skillId ?? '' },
                  query: { path },
                }).catch(toastError)
              }
              {...(mayChange && { onRemove: () => onChange({ removed: [...removed, path] }) })}
            />
          ))}
          {added.map((file) => (
            <FileLine
              key={`new ${file.name}`}
              path={file.name}
              size={file.size}
              isNew
              onRemove={() => onChange({ added: added.filter((each) => each !== file) })}
            />
          ))}
        </ul>
      )}
    </section>
  )
}
