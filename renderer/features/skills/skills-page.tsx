import '../../lib/strings/skills.ts'
import { Upload } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Skill, SkillEntry } from '#contract/skills.ts'
import { endpoints } from '../../api/client.ts'
import { downloadReply } from '../../api/download-reply.ts'
import type { PrincipalLoaders } from '../../ui/access/access-picker.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { useFilePicker } from '../../ui/fields/file-picker.tsx'
import { SkillsPicture } from '../../ui/lists/empty-pictures.tsx'
import { ListPage } from '../../ui/lists/list-page.tsx'
import { Rows } from '../../ui/lists/list-row.tsx'
import { OrderBox } from '../../ui/lists/order-box.tsx'
import { byText, useListView } from '../../ui/lists/use-list-view.ts'
import { MenuItem } from '../../ui/floating/menu.tsx'
import { TagFilter } from '../../ui/fields/tag-filter.tsx'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import { SkillEditor } from './skill-editor.tsx'
import { SkillRow } from './skill-row.tsx'
import {
  importSkill,
  readSkill,
  removeSkill,
  tagsOf,
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

/** Returns the import of a skill from a picked zip file. */
function useImport(store: SkillsStore) {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const read = async (file: File): Promise<void> => {
    setBusy(true)
    try {
      toast({ text: t('skills.imported', { name: await importSkill(store, file) }) })
    } catch (thrown) {
      toastError(thrown)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, read }
}

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
      open
      danger
      onOpenChange={(open) => !open && onClose()}
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

/** Returns the matching skills, with the current filters and order. */
function useSkillsView(skills: readonly SkillEntry[]) {
  const [tag, setTag] = useState<string | null>(null)
  const tags = tagsOf(skills)
  const chosen = tag !== null && tags.includes(tag) ? tag : null
  const tagged = useMemo(
    () => skills.filter(({ meta }) => chosen === null || meta.tags?.includes(chosen)),
    [skills, chosen],
  )
  const view = useListView({ items: tagged, textOf, orders: ORDERS })
  return { ...view, isNarrowed: view.isNarrowed || chosen !== null, tags, chosen, setTag }
}

/** The skills of the workspace. */
export function SkillsPage({ store, rights, principals }: SkillsPageProps) {
  const { t } = useTranslation()
  const { items, status, problem } = useStore(store)
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const importing = useImport(store)
  const view = useSkillsView(items)
  const picker = useFilePicker(importing.read, '.zip,application/zip')
  useEffect(() => void store.load(), [store])
  const close = (): void => setSheet(null)
  return (
    <>
      {picker.input}
      <ListPage
        text={t('skills.text')}
        load={{
          status,
          problem,
          failedTitle: t('skills.loadFailed'),
          onRetry: () => void store.load(),
        }}
        total={items.length}
        shown={view.shown.length}
        isNarrowed={view.isNarrowed}
        primary={
          rights.create
            ? { label: t('skills.create'), onSelect: () => setSheet({ kind: 'edit', skill: null }) }
            : null
        }
        more={
          rights.create && (
            <MenuItem icon={<Upload />} onSelect={picker.open}>
              {t('skills.import')}
            </MenuItem>
          )
        }
        isMoreBusy={importing.isBusy}
        search={{ label: t('skills.search'), value: view.query, onChange: view.setQuery }}
        choices={<OrderBox {...view.order} />}
        tags={
          <TagFilter
            label={t('skills.tags')}
            tags={view.tags}
            value={view.chosen}
            onChange={view.setTag}
          />
        }
        empty={{
          picture: <SkillsPicture />,
          title: t('skills.none'),
          text: rights.create ? t('skills.noneHint') : t('skills.noneShared'),
          onExample: () => setSheet({ kind: 'edit', skill: null, isExample: true }),
        }}
        noMatch={t('skills.noMatch')}
      >
        <List store={store} shown={view.shown} onSheet={setSheet} />
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
