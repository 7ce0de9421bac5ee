import { Columns2, X } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { classNames } from '../../lib/class-names.ts'
import { formatLocale } from '../../lib/i18n.ts'
import { FeatureButton } from '../../ui/controls/feature-button.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { Popover } from '../../ui/floating/popover.tsx'
import { ModelMark } from '../../ui/marks/model-mark.tsx'
import { LaterPanel, PANEL_ROOM } from './later-panel.tsx'
import {
  addModel,
  MOST_MODELS,
  type ModelsStore,
  removeModel,
  selectOthers,
} from './models-store.ts'

interface ChosenOthersProps {
  readonly ids: readonly string[]
  readonly nameOf: (id: string) => string
  readonly onRemove: (id: string) => void
}

/** Additional answering models, as chips in a message box that is wide enough. */
const OtherChips = ({ ids, nameOf, onRemove }: ChosenOthersProps) => {
  const { t } = useTranslation()
  return ids.map((id) => (
    <span
      key={id}
      className="inline-flex h-control max-w-40 min-w-0 items-center rounded-medium bg-hover ps-2 text-ui text-muted @max-[30rem]:hidden"
    >
      <bdi className="truncate">{nameOf(id)}</bdi>
      <IconButton
        size="small"
        label={t('models.alsoRemove', { name: nameOf(id) })}
        icon={<X />}
        onClick={() => onRemove(id)}
      />
    </span>
  ))
}

/** Additional answering models, as rows above the list of available ones. */
function OtherRows({ ids, nameOf, onRemove }: ChosenOthersProps) {
  const { t } = useTranslation()
  const headingId = useId()
  return (
    <section aria-labelledby={headingId} className="border-b border-line p-1">
      <h2 id={headingId} className="px-2 pt-1 text-small font-medium text-muted">
        {t('models.alsoAsked')}
      </h2>
      <ul>
        {ids.map((id) => (
          <li key={id} className="flex min-h-control items-center gap-2 ps-2">
            <ModelMark id={id} className="size-5 rounded-small!" />
            <bdi className="min-w-0 flex-1 truncate">{nameOf(id)}</bdi>
            <IconButton
              label={t('models.alsoRemove', { name: nameOf(id) })}
              icon={<X />}
              onClick={({ currentTarget }) => {
                // The button is removed with its row.
                currentTarget.closest<HTMLElement>('[role=dialog]')?.focus()
                onRemove(id)
              }}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface FurtherModelsProps {
  readonly store: ModelsStore
  readonly side?: 'top' | 'bottom'
  /** True for a row of a menu, which leaves it to others to show the chosen models. */
  readonly isRow?: boolean
}

/**
 * Models that answer the same message in addition to the chosen one, and a button to add one. A
 * narrow message box only shows their number; the panel lists them.
 */
export function FurtherModels({ store, side = 'top', isRow = false }: FurtherModelsProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const others = useStore(store, selectOthers)
  const models = useStore(store, (state) => state.models)
  if (models.length < 2) return null
  const ids = others === '' ? [] : others.split('\n')
  const isFull = ids.length >= MOST_MODELS - 1
  const chosen: ChosenOthersProps = {
    ids,
    nameOf: (id) => models.find((model) => model.id === id)?.name ?? id,
    onRemove: (id) => removeModel(store, id),
  }
  const label = ids.length === 0 ? t('models.also') : t('models.alsoCount', { count: ids.length })
  const add = isRow ? (
    <FeatureButton icon={<Columns2 aria-hidden="true" />} label={label} />
  ) : (
    <IconButton
      label={label}
      side="top"
      icon={<Columns2 />}
      words={
        <>
          <span className="hidden @2xl:inline">{t('models.alsoShort')}</span>
          {ids.length > 0 && (
            <span className="tabular-nums @min-[30rem]:hidden">
              {ids.length.toLocaleString(formatLocale())}
            </span>
          )}
        </>
      }
      className={classNames(
        '@max-[30rem]:gap-1!',
        ids.length > 0 && '@max-[30rem]:text-accent-strong!',
      )}
    />
  )
  return (
    <>
      {!isRow && <OtherChips {...chosen} />}
      <Popover
        isSheet
        open={open}
        onOpenChange={setOpen}
        side={side}
        label={t('models.also')}
        className={PANEL_ROOM}
        keepsKeyboardAway
        trigger={add}
      >
        {ids.length > 0 && <OtherRows {...chosen} />}
        {isFull ? (
          <p className="px-3 py-2.5 text-small text-muted">
            {t('models.alsoFull', { count: MOST_MODELS })}
          </p>
        ) : (
          <LaterPanel
            store={store}
            current={undefined}
            onChoose={(id) => {
              addModel(store, id)
              setOpen(false)
            }}
          />
        )}
      </Popover>
    </>
  )
}
