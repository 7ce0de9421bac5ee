import { Command } from 'cmdk'
import { RefreshCw, Search, X } from 'lucide-react'
import {
  type KeyboardEvent,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { ModelPrice } from '#contract/model-prices.ts'
import type { Model } from '#contract/models.ts'
import { Button } from '../../ui/controls/button.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { announce } from '../../ui/layout/live-region.tsx'
import { factsOf, NO_FACTS, toDiffering } from './differing-facts.ts'
import { GUIDE_ID } from './name-guide.ts'
import { MarkMenu } from './mark-menu.tsx'
import type { ModelMarks } from './model-marks.ts'
import { ModelRow } from './model-row.tsx'
import { PlaceBadge } from './place-badge.tsx'
import {
  filterModels,
  groupModels,
  loadModels,
  type ModelsStore,
  selectDefaultId,
  selectPinned,
} from './models-store.ts'

function RefreshButton({ store }: { store: ModelsStore }) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const handleClick = (): void => {
    setBusy(true)
    void loadModels(store, { refresh: true }).finally(() => setBusy(false))
  }
  return (
    <IconButton
      label={t('models.refresh')}
      icon={<RefreshCw className={busy ? 'animate-spin' : undefined} />}
      disabled={busy}
      onClick={handleClick}
      className="me-1"
    />
  )
}

/** Uses the physical key, as some keyboards produce a different character with Alt. */
function noteByKey(event: KeyboardEvent, marks: ModelMarks, id: string): boolean {
  if (!event.altKey || event.ctrlKey || event.metaKey) return false
  const act = { KeyP: marks.togglePin, KeyD: marks.toggleDefault }[event.code]
  if (!act) return false
  event.preventDefault()
  act(id)
  return true
}

/** Returns the place that several models have in common; null if they differ. */
const placeOf = ([first, ...others]: readonly Model[]): Model['connection_type'] | null =>
  first && others.every(({ connection_type: type }) => type === first.connection_type)
    ? first.connection_type
    : null

export interface PickerPanelProps {
  readonly store: ModelsStore
  readonly current: string | undefined
  readonly onChoose: (id: string) => void
  /** Opens the connections; absent for users who may not change them. */
  readonly onConnect?: () => void
  /** Opens the editor of a new model; absent for users who may not create one. */
  readonly onCreate?: () => void
  /** Closes the panel where nothing beside it can be pressed. */
  readonly onClose?: () => void
  /** Returns the price of a model, if known. */
  readonly priceOf?: (modelId: string) => ModelPrice | null
  /** Present if the user may mark models. */
  readonly marks?: ModelMarks
  /** Text typed before the panel was there. */
  readonly typed?: string
}

/** Ways to further models. */
function Foot({ onCreate, onConnect }: Pick<PickerPanelProps, 'onCreate' | 'onConnect'>) {
  const { t } = useTranslation()
  if (!onCreate && !onConnect) return null
  return (
    <div className="flex shrink-0 flex-wrap border-t border-line p-1">
      {onCreate && (
        <Button tone="quiet" className="grow justify-start! px-2!" onClick={onCreate}>
          {t('models.createOwn')}
        </Button>
      )}
      {onConnect && (
        <Button tone="quiet" className="grow justify-start! px-2!" onClick={onConnect}>
          {t('models.connect')}
        </Button>
      )}
    </div>
  )
}

/** Selectable models, with a search field. */
export function PickerPanel({
  store,
  current,
  onChoose,
  onConnect,
  onCreate,
  onClose,
  priceOf,
  marks,
  typed = '',
}: PickerPanelProps) {
  const { t } = useTranslation()
  const { models, status, problem, ownDefaultId } = useStore(store)
  const pinnedIds = useStore(store, selectPinned)
  const defaultId = useStore(store, selectDefaultId)
  const hintId = useId()
  const [query, setQuery] = useState(typed)
  const wanted = useDeferredValue(query)
  const groups = useMemo(
    () => groupModels(filterModels(models, wanted), pinnedIds),
    [models, wanted, pinnedIds],
  )
  // Facts are compared with all models, so that they do not change while one types, except with the
  // guide: as it runs no model, every fact would differ from its own.
  const facts = useMemo(() => {
    const compared = models.filter(({ id }) => id !== GUIDE_ID)
    const differing = toDiffering(compared.map((each) => factsOf(each, priceOf?.(each.id) ?? null)))
    return new Map(compared.map(({ id }, index) => [id, differing[index]!]))
  }, [models, priceOf])
  const isOnePlace = placeOf(models) !== null
  const [marked, setMarked] = useState(current ?? '')
  const ids = groups.flatMap((group) => group.models.map(({ id }) => id))
  const value = ids.includes(marked) ? marked : (ids[0] ?? '')
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // On touch this would open the keyboard over the list.
    if (!matchMedia('(pointer: coarse)').matches) input.current?.focus()
  }, [])
  // After the menu of a row one goes on typing; on touch this would open the keyboard.
  const handleMenuClosed = (event: Event): void => {
    event.preventDefault()
    if (matchMedia('(pointer: coarse)').matches)
      input.current?.closest<HTMLElement>('[role=dialog]')?.focus()
    else input.current?.focus()
  }
  const markedModel = models.find(({ id }) => id === value)
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (marks && value !== '' && noteByKey(event, marks, value)) {
      setMarked(value)
      announce(t('models.markChanged', { name: markedModel?.name }))
    }
  }
  return (
    // The selection follows the list, which updates slightly after typing; Enter always selects a
    // displayed entry.
    <Command
      shouldFilter={false}
      loop
      value={value}
      onValueChange={setMarked}
      onKeyDown={handleKeyDown}
      label={t('models.choose')}
      className="flex max-h-[min(28rem,70dvh,var(--radix-popover-content-available-height,100dvh))] flex-col max-sm:min-h-0 max-sm:max-h-none max-sm:flex-1"
    >
      <div className="flex shrink-0 items-center gap-1 border-b border-line ps-3">
        <Search className="size-4 shrink-0 text-muted" />
        <Command.Input
          ref={input}
          value={query}
          onValueChange={(text) => {
            setQuery(text)
            setMarked('')
          }}
          placeholder={t('models.search')}
          {...(marks && { 'aria-describedby': hintId })}
          className="h-11 min-w-0 flex-1 bg-transparent px-1.5 outline-none max-sm:h-13"
        />
        <RefreshButton store={store} />
        {onClose && (
          <IconButton
            label={t('common.close')}
            icon={<X />}
            onClick={onClose}
            className="me-1 sm:hidden"
          />
        )}
      </div>
      <Command.List
        className="fades-below min-h-0 flex-1 overflow-y-auto p-1"
        label={t('models.list')}
      >
        {groups.map((group) => {
          const place = placeOf(group.models)
          return (
            <Command.Group
              key={group.connection ?? ''}
              heading={
                <span className="flex min-w-0 flex-wrap items-center gap-x-2 px-2 pt-2 pb-1 text-small font-medium text-muted">
                  <bdi>{group.connection ?? t('models.pinnedGroup')}</bdi>
                  {place && !isOnePlace && <PlaceBadge type={place} />}
                </span>
              }
            >
              {group.models.map((model) => (
                <ModelRow
                  key={model.id}
                  model={model}
                  isCurrent={model.id === current}
                  isDefault={model.id === defaultId}
                  isOwnDefault={model.id === ownDefaultId}
                  isPinned={pinnedIds.includes(model.id)}
                  hasPlace={place === null}
                  facts={facts.get(model.id) ?? NO_FACTS}
                  marks={marks}
                  onMenuClosed={handleMenuClosed}
                  onSelect={() => onChoose(model.id)}
                />
              ))}
            </Command.Group>
          )
        })}
        <Command.Empty className="px-4 py-8 text-center text-small text-muted">
          {status === 'failed'
            ? problem
            : models.length === 0
              ? t(onConnect ? 'models.none' : 'models.noneForYou')
              : t('models.noMatch', { query })}
        </Command.Empty>
      </Command.List>
      {marks && (
        <p id={hintId} className="sr-only">
          {t('models.markKeys')}
        </p>
      )}
      {marks && markedModel && value !== '' && (
        <div className="border-t border-line p-1 not-has-focus-visible:not-has-data-[state=open]:sr-only">
          <MarkMenu
            id={value}
            isPinned={pinnedIds.includes(value)}
            isDefault={value === ownDefaultId}
            marks={marks}
            trigger={
              <Button tone="quiet" className="w-full justify-start!">
                <span className="truncate">
                  {t('models.actionsOf', { name: markedModel.name })}
                </span>
              </Button>
            }
          />
        </div>
      )}
      <Foot onCreate={onCreate} onConnect={onConnect} />
    </Command>
  )
}
