import { Plus, Swords } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ArenaModel, EvaluationsConfig } from '#contract/evaluations.ts'
import type { Model } from '#contract/models.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { translate } from '../../lib/i18n.ts'
import type { PrincipalLoaders } from '../../ui/access-picker.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.tsx'
import { ArenaDialog } from './arena-dialog.tsx'
import { ModelPicture } from './model-picture.tsx'

interface ArenaPageProps {
  /** Models that can compete. */
  readonly models: readonly Model[]
  readonly principals: PrincipalLoaders
  readonly onChanged: () => void
}

const tell = (thrown: unknown): void => toast({ tone: 'danger', text: toSentence(thrown) })

/** Settings of arenas, and the way to change them. */
function useArenas(onChanged: () => void) {
  const [config, setConfig] = useState<EvaluationsConfig | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    call(endpoints.evaluations.config, {})
      .then((found) => {
        setConfig(found)
        setProblem(null)
      })
      .catch((thrown: unknown) => setProblem(toSentence(thrown)))
  }, [turn])
  async function change(body: Partial<EvaluationsConfig>): Promise<void> {
    setConfig(await call(endpoints.evaluations.updateConfig, { body }))
    onChanged()
  }
  /** Puts a deleted arena back into its place, beside what was made and changed since. */
  async function bringBack(arena: ArenaModel, place: number): Promise<void> {
    const { EVALUATION_ARENA_MODELS: arenas } = await call(endpoints.evaluations.config, {})
    await change({ EVALUATION_ARENA_MODELS: arenas.toSpliced(place, 0, arena) })
  }
  return { config, problem, change, bringBack, retry: () => setTurn(turn + 1) }
}

function describe({ meta }: ArenaModel, models: readonly Model[]): string {
  const ids = meta.model_ids ?? []
  const names = ids.map((id) => models.find((model) => model.id === id)?.name ?? id).join(', ')
  if (ids.length === 0) return translate('models.arena.all')
  return meta.filter_mode === 'exclude' ? translate('models.arena.allBut', { names }) : names
}

type Arenas = EvaluationsConfig['EVALUATION_ARENA_MODELS']

interface ListProps {
  readonly arenas: Arenas
  readonly models: readonly Model[]
  readonly onEdit: (arena: ArenaModel) => void
}

function List({ arenas, models, onEdit }: ListProps) {
  const { t } = useTranslation()
  return (
    <ul
      aria-label={t('workspace.areas.arena')}
      className="divide-y divide-line rounded-large border border-line bg-raised"
    >
      {arenas.map((arena) => (
        <li key={arena.id} className="flex items-center gap-3 py-2.5 ps-4 pe-3">
          <ModelPicture id={arena.id} className="size-9" />
          <span className="min-w-0 flex-1">
            <bdi className="block truncate font-medium">{arena.name}</bdi>
            <bdi className="line-clamp-2 text-small text-muted">{describe(arena, models)}</bdi>
          </span>
          <Button
            onClick={() => onEdit(arena)}
            aria-label={t('models.arena.editOf', { name: arena.name })}
          >
            {t('common.edit')}
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** Entries that stand for a random model, for comparing without knowing which one answers. */
export function ArenaPage({ models, principals, onChanged }: ArenaPageProps) {
  const { t } = useTranslation()
  const { config, problem, change, bringBack, retry } = useArenas(onChanged)
  const [editing, setEditing] = useState<ArenaModel | 'new' | null>(null)
  if (!config) {
    if (problem === null) return <Spinner className="mx-auto my-8" />
    return (
      <EmptyState
        title={t('models.arena.loadFailed')}
        action={<Button onClick={retry}>{t('common.retry')}</Button>}
      >
        {problem}
      </EmptyState>
    )
  }
  const { EVALUATION_ARENA_MODELS: arenas, ENABLE_EVALUATION_ARENA_MODELS: enabled } = config
  const save = (next: Arenas): Promise<void> => change({ EVALUATION_ARENA_MODELS: next })
  const remove = async (arena: ArenaModel): Promise<void> => {
    await save(arenas.filter(({ id }) => id !== arena.id))
    const action = {
      label: t('common.undo'),
      onSelect: () => void bringBack(arena, arenas.indexOf(arena)).catch(tell),
    }
    toast({ text: t('models.deleted', { name: arena.name }), action })
  }
  return (
    <div className="flex flex-col gap-6">
      <p className="max-w-prose text-pretty text-muted">{t('models.arena.text')}</p>
      <Switch
        label={t('models.arena.enabled')}
        hint={t('models.arena.enabledHint')}
        checked={enabled}
        onChange={(checked) => void change({ ENABLE_EVALUATION_ARENA_MODELS: checked }).catch(tell)}
      />
      {arenas.length > 0 && <List arenas={arenas} models={models} onEdit={setEditing} />}
      {arenas.length === 0 && (
        <div className="rounded-large border border-line">
          <EmptyState icon={<Swords />} title={t('models.arena.none')}>
            {t('models.arena.noneHint')}
          </EmptyState>
        </div>
      )}
      <Button
        icon={<Plus className="size-4" />}
        className="self-start"
        onClick={() => setEditing('new')}
      >
        {t('models.arena.add')}
      </Button>
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
          onRemove={(arena) => void remove(arena).catch(tell)}
          onClose={() => setEditing(null)}
        />
      )}
    </div>
  )
}
