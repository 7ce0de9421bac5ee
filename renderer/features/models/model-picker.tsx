import { Command } from 'cmdk'
import { ChevronDown, Columns2, RefreshCw, Search, X } from 'lucide-react'
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
import { registerCommand, runCommand } from '../../lib/commands.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { announce } from '../../ui/live-region.tsx'
import { Popover } from '../../ui/popover.tsx'
import {
  addModel,
  chooseModel,
  filterModels,
  groupModels,
  loadModels,
  MOST_MODELS,
  type ModelsStore,
  removeModel,
  selectDefaultId,
  selectModelInUse,
  selectOthers,
  selectPinned,
} from './models-store.ts'
import type { ModelMarks } from './model-marks.ts'
import { ModelPicture } from './model-picture.tsx'
import { ModelRow } from './model-row.tsx'

interface ModelPickerProps {
  readonly store: ModelsStore
  /** Leads to the connections; absent for people who may not change them. */
  readonly onConnect?: () => void
  readonly side?: 'top' | 'bottom'
  /** What a model costs, where that is known. */
  readonly priceOf?: (modelId: string) => ModelPrice | null
  /** Where the person may note something about models. */
  readonly marks?: ModelMarks
}

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

/** By the place of the key, as with Alt some keyboards write another letter there. */
function noteByKey(event: KeyboardEvent, marks: ModelMarks, id: string): boolean {
  if (!event.altKey || event.ctrlKey || event.metaKey) return false
  const act = { KeyP: marks.togglePin, KeyD: marks.toggleDefault }[event.code]
  if (!act) return false
  event.preventDefault()
  act(id)
  return true
}

interface PickerPanelProps {
  readonly store: ModelsStore
  readonly current: string | undefined
  readonly onChoose: (id: string) => void
  readonly onConnect?: () => void
  readonly priceOf?: ModelPickerProps['priceOf']
  readonly marks?: ModelMarks
}

function PickerPanel({ store, current, onChoose, onConnect, priceOf, marks }: PickerPanelProps) {
  const { t } = useTranslation()
  const { models, status, problem, ownDefaultId } = useStore(store)
  const pinnedIds = useStore(store, selectPinned)
  const defaultId = useStore(store, selectDefaultId)
  const hintId = useId()
  const [query, setQuery] = useState('')
  const wanted = useDeferredValue(query)
  const groups = useMemo(
    () => groupModels(filterModels(models, wanted), pinnedIds),
    [models, wanted, pinnedIds],
  )
  const [marked, setMarked] = useState(current ?? '')
  const ids = groups.flatMap((group) => group.models.map(({ id }) => id))
  const value = ids.includes(marked) ? marked : (ids[0] ?? '')
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (marks && value !== '' && noteByKey(event, marks, value)) {
      setMarked(value)
      announce(t('models.markChanged', { name: models.find(({ id }) => id === value)?.name }))
    }
  }
  return (
    // What is marked follows the list, which comes a moment after the letters; Enter always takes
    // something that is shown.
    <Command
      shouldFilter={false}
      loop
      value={value}
      onValueChange={setMarked}
      onKeyDown={handleKeyDown}
      label={t('models.choose')}
      className="flex max-h-[min(28rem,70dvh,var(--radix-popover-content-available-height,100dvh))] flex-col"
    >
      <div className="flex items-center gap-1 border-b border-line ps-3">
        <Search aria-hidden="true" className="size-4 shrink-0 text-muted" />
        <Command.Input
          value={query}
          onValueChange={(text) => {
            setQuery(text)
            setMarked('')
          }}
          placeholder={t('models.search')}
          {...(marks && { 'aria-describedby': hintId })}
          className="h-11 min-w-0 flex-1 bg-transparent px-1.5 outline-none"
        />
        <RefreshButton store={store} />
      </div>
      <Command.List className="min-h-0 flex-1 overflow-y-auto p-1" label={t('models.list')}>
        {groups.map(({ connection, models: rows }) => (
          <Command.Group
            key={connection ?? ''}
            heading={
              <span className="block px-2 pt-2 pb-1 text-small font-medium text-muted">
                {connection ?? t('models.pinnedGroup')}
              </span>
            }
          >
            {rows.map((model) => (
              <ModelRow
                key={model.id}
                model={model}
                isCurrent={model.id === current}
                isDefault={model.id === defaultId}
                isOwnDefault={model.id === ownDefaultId}
                isPinned={pinnedIds.includes(model.id)}
                price={priceOf?.(model.id) ?? null}
                marks={marks}
                onSelect={() => onChoose(model.id)}
              />
            ))}
          </Command.Group>
        ))}
        <Command.Empty className="px-4 py-8 text-center text-small text-muted">
          {status === 'failed'
            ? problem
            : models.length === 0
              ? t(onConnect ? 'models.none' : 'models.noneForYou')
              : t('models.noMatch', { query })}
        </Command.Empty>
      </Command.List>
      {marks && ids.length > 0 && (
        <p
          id={hintId}
          className="shrink-0 border-t border-line px-3 py-1.5 text-small text-muted pointer-coarse:hidden"
        >
          {t('models.markKeys')}
        </p>
      )}
      {onConnect && (
        <div className="border-t border-line p-1">
          <Button tone="quiet" className="w-full justify-start" onClick={onConnect}>
            {t('models.connect')}
          </Button>
        </div>
      )}
    </Command>
  )
}

interface FurtherModelsProps {
  readonly store: ModelsStore
  readonly side?: 'top' | 'bottom'
}

/** The models that answer the same message beside the chosen one, and the way to one more. */
export function FurtherModels({ store, side = 'top' }: FurtherModelsProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const others = useStore(store, selectOthers)
  const models = useStore(store, (state) => state.models)
  if (models.length < 2) return null
  const ids = others === '' ? [] : others.split('\n')
  const nameOf = (id: string): string => models.find((model) => model.id === id)?.name ?? id
  const isFull = ids.length >= MOST_MODELS - 1
  const add = (
    <IconButton
      label={t('models.also')}
      hint={isFull ? t('models.alsoFull', { count: MOST_MODELS }) : undefined}
      side="top"
      aria-disabled={isFull}
      icon={<Columns2 />}
      words={<span className="hidden @2xl:inline">{t('models.alsoShort')}</span>}
    />
  )
  return (
    <>
      {ids.map((id) => (
        <span
          key={id}
          className="inline-flex h-control max-w-40 min-w-0 items-center rounded-medium bg-hover ps-2 text-ui text-muted"
        >
          <bdi className="truncate">{nameOf(id)}</bdi>
          <IconButton
            size="small"
            label={t('models.alsoRemove', { name: nameOf(id) })}
            icon={<X />}
            onClick={() => removeModel(store, id)}
          />
        </span>
      ))}
      <Popover
        open={open && !isFull}
        onOpenChange={setOpen}
        side={side}
        label={t('models.also')}
        className="w-96"
        trigger={add}
      >
        <PickerPanel
          store={store}
          current={undefined}
          onChoose={(id) => {
            addModel(store, id)
            setOpen(false)
          }}
        />
      </Popover>
    </>
  )
}

/** Chooses the model for the next message. The button says which one is in use. */
export function ModelPicker({ store, onConnect, side = 'top', priceOf, marks }: ModelPickerProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const hasChosen = useRef(false)
  const model = useStore(store, selectModelInUse)
  const loading = useStore(store, (state) => state.status === 'loading')
  useEffect(() => registerCommand('model.choose', () => setOpen(true)), [])
  const name = model?.name ?? (loading ? t('common.loading') : t('models.noModel'))
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      side={side}
      label={t('models.choose')}
      className="w-96"
      // Whoever has chosen goes on writing.
      onCloseAutoFocus={(event) => {
        if (hasChosen.current && runCommand('composer.focus')) event.preventDefault()
        hasChosen.current = false
      }}
      trigger={
        <button
          type="button"
          aria-label={t('models.current', { name })}
          className="inline-flex h-control max-w-56 min-w-0 items-center gap-1.5 rounded-medium px-2 @max-[30rem]:max-w-[min(14rem,calc(100cqw-12.75rem))] text-ui text-muted transition-colors duration-(--motion-in) hover:bg-hover hover:text-ink data-[state=open]:bg-pressed data-[state=open]:text-ink pointer-coarse:min-h-11"
        >
          {model && <ModelPicture id={model.id} className="size-5 rounded-small!" />}
          <bdi className="truncate font-medium">{name}</bdi>
          <ChevronDown aria-hidden="true" className="size-3.5 shrink-0" />
        </button>
      }
    >
      <PickerPanel
        store={store}
        current={model?.id}
        priceOf={priceOf}
        marks={marks}
        onChoose={(id) => {
          chooseModel(store, id)
          hasChosen.current = true
          setOpen(false)
        }}
        onConnect={
          onConnect &&
          (() => {
            setOpen(false)
            onConnect()
          })
        }
      />
    </Popover>
  )
}
