import { ChevronDown } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { registerCommand, runCommand } from '../../lib/commands.ts'
import { Popover } from '../../ui/floating/popover.tsx'
import { ModelMark } from '../../ui/marks/model-mark.tsx'
import { LaterPanel, loadPanel, PANEL_ROOM } from './later-panel.tsx'
import { chooseModel, type ModelsStore, selectModelInUse } from './models-store.ts'
import type { PickerPanelProps } from './picker-panel.tsx'

/** Leaves out the vendor before the last slash, for places with room for a few letters only. */
const withoutVendor = (name: string): string => name.slice(name.lastIndexOf('/') + 1) || name

interface ModelPickerProps extends Pick<
  PickerPanelProps,
  'onConnect' | 'onCreate' | 'priceOf' | 'marks'
> {
  readonly store: ModelsStore
  readonly side?: 'top' | 'bottom'
}

/** Selects the model of the next message. The button shows the current one. */
export function ModelPicker({
  store,
  onConnect,
  onCreate,
  side = 'top',
  priceOf,
  marks,
}: ModelPickerProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const hasChosen = useRef(false)
  const model = useStore(store, selectModelInUse)
  const loading = useStore(store, (state) => state.status === 'loading')
  useEffect(() => registerCommand('model.choose', () => setOpen(true)), [])
  useEffect(() => {
    const idle = requestIdleCallback(() => void loadPanel().catch(() => undefined))
    return () => cancelIdleCallback(idle)
  }, [])
  const leaveTo = (go: (() => void) | undefined) =>
    go &&
    (() => {
      setOpen(false)
      go()
    })
  const name = model?.name ?? (loading ? t('common.loading') : t('models.noModel'))
  return (
    <Popover
      isSheet
      open={open}
      onOpenChange={setOpen}
      side={side}
      label={t('models.choose')}
      className={PANEL_ROOM}
      keepsKeyboardAway
      // After a selection the focus returns to the composer.
      onCloseAutoFocus={(event) => {
        if (hasChosen.current && runCommand('composer.focus')) event.preventDefault()
        hasChosen.current = false
      }}
      trigger={
        <button
          type="button"
          aria-label={t('models.current', { name })}
          className="inline-flex h-control max-w-56 min-w-0 items-center gap-1.5 rounded-medium px-2 @max-[30rem]:max-w-max @max-[30rem]:flex-[1_1_5.25rem] text-ui text-muted transition-colors duration-(--motion-in) hover:bg-hover hover:text-ink data-[state=open]:bg-pressed data-[state=open]:text-ink pointer-coarse:min-h-11"
        >
          {model && (
            <ModelMark id={model.id} className="size-5 rounded-small! @max-[24rem]:hidden" />
          )}
          <bdi className="min-w-0 truncate font-medium @max-[30rem]:hidden">{name}</bdi>
          <bdi className="hidden min-w-0 truncate text-small font-medium @max-[30rem]:block">
            {withoutVendor(name)}
          </bdi>
          <ChevronDown className="size-3.5 shrink-0" />
        </button>
      }
    >
      <LaterPanel
        store={store}
        current={model?.id}
        priceOf={priceOf}
        marks={marks}
        onChoose={(id) => {
          chooseModel(store, id)
          hasChosen.current = true
          setOpen(false)
        }}
        onClose={() => setOpen(false)}
        onConnect={leaveTo(onConnect)}
        onCreate={leaveTo(onCreate)}
      />
    </Popover>
  )
}
