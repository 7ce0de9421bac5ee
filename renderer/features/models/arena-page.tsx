import '../../lib/strings/model-editor.ts'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { ArenaModel, EvaluationsConfig } from '#contract/evaluations.ts'
import type { Model } from '#contract/models.ts'
import { call, endpoints } from '../../api/client.ts'
import { ListStore } from '../../api/list-store.ts'
import { translate } from '../../lib/i18n.ts'
import type { PrincipalLoaders } from '../../ui/access/access-picker.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { AccessMark } from '../../ui/lists/access-mark.tsx'
import { ArenaPicture } from '../../ui/lists/empty-pictures.tsx'
import { ListPage } from '../../ui/lists/list-page.tsx'
import { ListRow, Rows } from '../../ui/lists/list-row.tsx'
import { byText } from '../../ui/lists/by-text.ts'
import { useListPage } from '../../ui/lists/use-list-page.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import { ArenaDialog } from './arena-dialog.tsx'
import { ModelMark } from '../../ui/marks/model-mark.tsx'
import { formatNames } from '../../lib/format-list.ts'

interface ArenaPageProps {
  /** Models that can compete. */
  readonly models: readonly Model[]
  readonly principals: PrincipalLoaders
  readonly onChanged: () => void
}

interface ArenasExtra {
  /** True if arenas are offered in the picker; null until known. */
  readonly isEnabled: boolean | null
}

const toState = (config: EvaluationsConfig) => ({
  items: config.EVALUATION_ARENA_MODELS,
  total: config.EVALUATION_ARENA_MODELS.length,
  isEnabled: config.ENABLE_EVALUATION_ARENA_MODELS,
})

/** Returns the arenas of the gateway and the actions on them. */
function useArenas(onChanged: () => void) {
  const [store] = useState(
    () =>
      new ListStore<ArenaModel, ArenasExtra>({
        read: async ({ signal }) =>
          toState(await call(endpoints.evaluations.config, {}, { signal })),
        extra: { isEnabled: null },
        keyOf: ({ id }) => id,
      }),
  )
  useEffect(() => void store.load(), [store])
  async function change(body: Partial<EvaluationsConfig>): Promise<void> {
    const config = await call(endpoints.evaluations.updateConfig, { body })
    store.noteChange()
    store.setState(toState(config))
    onChanged()
  }
  /** Restores a deleted arena at its position, keeping arenas created and changed since. */
  async function bringBack(arena: ArenaModel, place: number): Promise<void> {
    const { EVALUATION_ARENA_MODELS: arenas } = await call(endpoints.evaluations.config, {})
    await change({ EVALUATION_ARENA_MODELS: arenas.toSpliced(place, 0, arena) })
  }
  return { store, change, bringBack }
}

function describe({ meta }: ArenaModel, models: readonly Model[]): string {
  const ids = meta.model_ids ?? []
  const names = formatNames(ids.map((id) => models.find((model) => model.id === id)?.name ?? id))
  if (ids.length === 0) return translate('modelEditor.arena.all')
  return meta.filter_mode === 'exclude' ? translate('modelEditor.arena.allBut', { names }) : names
}

type Arenas = readonly ArenaModel[]

interface ListProps {
  readonly arenas: Arenas
  readonly models: readonly Model[]
  readonly onEdit: (arena: ArenaModel) => void
}

function List({ arenas, models, onEdit }: ListProps) {
  const { t } = useTranslation()
  return (
    <Rows label={t('workspace.areas.arena')}>
      {arenas.map((arena) => (
        <ListRow
          key={arena.id}
          mark={<ModelMark id={arena.id} className="size-9" />}
          name={arena.name}
          description={describe(arena, models)}
          facts={[<AccessMark key="access" grants={arena.meta.access_grants ?? []} />]}
          controls={
            <Button
              onClick={() => onEdit(arena)}
              aria-label={t('modelEditor.arena.editOf', { name: arena.name })}
            >
              {t('common.edit')}
            </Button>
          }
        />
      ))}
    </Rows>
  )
}

const ORDERS = { name: byText(({ name }: ArenaModel) => name) }

/** Arenas: entries that select a random model, for blind comparisons. */
export function ArenaPage({ models, principals, onChanged }: ArenaPageProps) {
  const { t } = useTranslation()
  const { store, change, bringBack } = useArenas(onChanged)
  const { items: arenas, isEnabled } = useStore(store)
  const [editing, setEditing] = useState<ArenaModel | 'new' | null>(null)
  const list = useListPage({
    store,
    textOf: ({ name }) => name,
    orders: ORDERS,
    labels: { failed: t('modelEditor.arena.loadFailed'), search: t('modelEditor.arena.search') },
  })
  const save = (next: Arenas): Promise<void> => change({ EVALUATION_ARENA_MODELS: [...next] })
  const remove = async (arena: ArenaModel): Promise<void> => {
    await save(arenas.filter(({ id }) => id !== arena.id))
    const action = {
      label: t('common.undo'),
      onSelect: () => void bringBack(arena, arenas.indexOf(arena)).catch(toastError),
    }
    toast({ text: t('models.deleted', { name: arena.name }), action })
  }
  return (
    <>
      <ListPage
        {...list.page}
        text={t('modelEditor.arena.text')}
        primary={{ label: t('modelEditor.arena.add'), onSelect: () => setEditing('new') }}
        note={
          isEnabled !== null && (
            <Switch
              label={t('modelEditor.arena.enabled')}
              hint={t('modelEditor.arena.enabledHint')}
              checked={isEnabled}
              onChange={(checked) =>
                void change({ ENABLE_EVALUATION_ARENA_MODELS: checked }).catch(toastError)
              }
            />
          )
        }
        empty={{
          picture: <ArenaPicture />,
          title: t('modelEditor.arena.none'),
          text: t('modelEditor.arena.noneHint'),
        }}
        noMatch={t('modelEditor.arena.noMatch')}
      >
        <List arenas={list.shown} models={models} onEdit={setEditing} />
      </ListPage>
      {editing !== null && (
        <ArenaDialog
          arena={editing === 'new' ? null : editing}
          takenIds={arenas.map(({ id }) => id)}
          models={models}
          principals={principals}
          onSave={(arena) =>
            save(
              editing === 'new'
                ? [...arenas, arena]
                : arenas.map((each) => (each === editing ? arena : each)),
            )
          }
          onRemove={(arena) => void remove(arena).catch(toastError)}
          onClose={() => setEditing(null)}
        />
      )}
    </>
  )
}
