import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { Button } from '../../ui/controls/button.tsx'
import { fromPreset, startDraft } from './connection-draft.ts'
import { ConnectionForm } from './connection-form.tsx'
import type { ConnectionsStore } from './connections-store.ts'
import { PresetPicker } from './preset-picker.tsx'
import { findPreset, type ProviderPreset } from './presets.ts'

/** Draft key of a provider that is not listed. */
const OTHER = 'other'

interface AddConnectionProps {
  readonly store: ConnectionsStore
  /** Omits rarely needed fields. */
  readonly brief?: boolean
  /** Provider chosen before; null if none was. */
  readonly chosen?: ProviderPreset | null
  readonly onSaved: () => void
  readonly onDone: () => void
  /** Called when the form is shown or hidden. */
  readonly onForm?: (isShown: boolean) => void
}

/** Adds a connection: the user selects a provider and enters its key. */
export function AddConnection(props: AddConnectionProps) {
  const { store, brief, chosen = null, onSaved, onDone, onForm } = props
  const { t } = useTranslation()
  const drafts = useStore(store, (state) => state.drafts)
  const blank = startDraft(useStore(store, (state) => state.items))
  // Returns to the draft that was edited last.
  const [choice, setChoice] = useState<string | null>(
    () =>
      chosen?.id ??
      [...drafts.keys()].findLast((key) => key === OTHER || findPreset(key) !== null) ??
      null,
  )
  const root = useRef<HTMLDivElement>(null)
  const preset = choice === null ? null : findPreset(choice)
  useEffect(() => onForm?.(choice !== null), [choice, onForm])
  const choose = (picked: ProviderPreset | null): void => setChoice(picked?.id ?? OTHER)
  const handleBack = (): void => {
    setChoice(null)
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>('input')?.focus())
  }
  return (
    <div ref={root}>
      {choice === null ? (
        <PresetPicker brief={brief === true} onChoose={choose} />
      ) : (
        <>
          <Button
            tone="quiet"
            icon={<ArrowLeft className="size-4 rtl:-scale-x-100" />}
            onClick={handleBack}
            className="-ms-3 mb-3 text-muted"
          >
            {t('connections.allProviders')}
          </Button>
          <ConnectionForm
            key={choice}
            store={store}
            draftKey={choice}
            start={preset ? fromPreset(preset, blank) : blank}
            preset={preset}
            existing={null}
            takesFocus
            {...(brief !== undefined && { brief })}
            onSaved={onSaved}
            onDone={onDone}
          />
        </>
      )}
    </div>
  )
}
