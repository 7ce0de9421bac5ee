import '../../lib/strings/skills.ts'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Skill, SkillEntry } from '#contract/skills.ts'
import { endpoints } from '../../api/client.ts'
import { downloadReply } from '../../api/download-reply.ts'
import type { PrincipalLoaders } from '../../ui/access/access-picker.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { useFileImport } from '../../ui/fields/file-import.ts'
import { SkillsPicture } from '../../ui/lists/empty-pictures.tsx'
import { ListPage } from '../../ui/lists/list-page.tsx'
import { Rows } from '../../ui/lists/list-row.tsx'
import { byText } from '../../ui/lists/by-text.ts'
import { useListPage } from '../../ui/lists/use-list-page.tsx'
import { MenuItem } from '../../ui/floating/menu.tsx'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import { SkillEditor } from './skill-editor.tsx'
import { SkillRow } from './skill-row.tsx'
import {
  importSkill,
  readSkill,
  removeSkill,
  textOf,
  toggleSkill,
  type SkillsStore,
} from './skills-store.ts'

/** The signed-in user's rights on skills. */
export interface SkillRights {
  readonly create: boolean
  readonly openToAll: boolean
}

interface SkillsPageProps {
  readonly store: SkillsStore
  readonly rights: SkillRights
  readonly principals: PrincipalLoaders
}

type Sheet =
  | { readonly kind: 'edit'; readonly skill: Skill | null; readonly isExample?: boolean }
  | { readonly kind: 'remove'; readonly skill: SkillEntry }

function List({
  store,
  shown,
  onSheet,
}: {
  store: SkillsStore
  shown: readonly SkillEntry[]
  onSheet: (sheet: Sheet) => void
}) {
  const { t } = useTranslation()
  const open = (id: string): void =>
    void readSkill(id).then((skill) => onSheet({ kind: 'edit', skill }), toastError)
  return (
    <Rows label={t('skills.title')}>
      {shown.map((skill) => (
        <SkillRow
          key={skill.id}
          skill={skill}
          onOpen={() => open(skill.id)}
          onToggle={() => void toggleSkill(store, skill.id).catch(toastError)}
          onExport={() =>
            void downloadReply(endpoints.skills.download, {
              params: { skill_id: skill.id },
            }).catch(toastError)
          }
          onRemove={() => onSheet({ kind: 'remove', skill })}
        />
      ))}
    </Rows>
  )
}

function RemoveDialog({
  store,
  skill,
  onClose,
}: {
  store: SkillsStore
  skill: SkillEntry
  onClose: () => void
}) {
  const { t } = useTranslation()
  const remove = (): void => {
    onClose()
    void removeSkill(store, skill).then(
      () => toast({ text: t('skills.deleted', { name: skill.name }) }),
      toastError,
    )
  }
  return (
    <ConfirmDialog
      danger
      onClose={onClose}
      title={t('skills.deleteTitle', { name: skill.name })}
      description={t('skills.deleteText')}
      confirmLabel={t('common.delete')}
      onConfirm={remove}
    />
  )
}

const ORDERS = {
  name: byText(({ name }: SkillEntry) => name),
  changed: (left: SkillEntry, right: SkillEntry) => right.updated_at - left.updated_at,
}

/** The skills of the workspace. */
export function SkillsPage({ store, rights, principals }: SkillsPageProps) {
  const { t } = useTranslation()
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const list = useListPage({
    store,
    textOf,
    orders: ORDERS,
    tagsOf: ({ meta }) => meta.tags ?? [],
    labels: { failed: t('skills.loadFailed'), search: t('skills.search'), tags: t('skills.tags') },
  })
  const importing = useFileImport(
    async (file) => t('skills.imported', { name: await importSkill(store, file) }),
    '.zip,application/zip',
  )
  const close = (): void => setSheet(null)
  return (
    <>
      {importing.input}
      <ListPage
        {...list.page}
        text={t('skills.text')}
        primary={
          rights.create
            ? { label: t('skills.create'), onSelect: () => setSheet({ kind: 'edit', skill: null }) }
            : null
        }
        more={
          rights.create && (
            <MenuItem icon={<Upload />} onSelect={importing.open}>
              {t('skills.import')}
            </MenuItem>
          )
        }
        isMoreBusy={importing.isBusy}
        empty={{
          picture: <SkillsPicture />,
          title: t('skills.none'),
          text: rights.create ? t('skills.noneHint') : t('skills.noneShared'),
          onExample: () => setSheet({ kind: 'edit', skill: null, isExample: true }),
        }}
        noMatch={t('skills.noMatch')}
      >
        <List store={store} shown={list.shown} onSheet={setSheet} />
      </ListPage>
      {sheet?.kind === 'edit' && (
        <SkillEditor
          store={store}
          skill={sheet.skill}
          isExample={sheet.isExample}
          principals={principals}
          mayOpenToAll={rights.openToAll}
          onClose={close}
        />
      )}
      {sheet?.kind === 'remove' && (
        <RemoveDialog store={store} skill={sheet.skill} onClose={close} />
      )}
    </>
  )
}
