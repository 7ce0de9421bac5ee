import { type ComponentType, createElement, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toastError } from '../../ui/floating/toast.tsx'
import type { PickerPanelProps } from './picker-panel.tsx'

/** Size of the floating panel around it: on phones, the list and the keyboard need the height. */
export const PANEL_ROOM =
  'w-96 max-sm:flex max-sm:min-h-[calc(var(--seen-height,100dvh)-2.5rem)] max-sm:flex-col max-sm:overflow-hidden!'

type Panel = ComponentType<PickerPanelProps>

let loaded: Panel | null = null

/** Loads the panel; call it early, so that it is there when the picker is opened. */
export async function loadPanel(): Promise<Panel> {
  loaded ??= (await import('./picker-panel.tsx')).PickerPanel
  return loaded
}

/**
 * The panel of models, which is not part of the first load; until it is there, its room with a field
 * that keeps the letters typed meanwhile.
 */
export function LaterPanel(props: PickerPanelProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [panel, setPanel] = useState(() => loaded)
  useEffect(() => {
    if (!panel) loadPanel().then((found) => setPanel(() => found), toastError)
  }, [panel])
  if (panel) return createElement(panel, { ...props, typed })
  return (
    <div aria-busy="true" className="h-[min(28rem,70dvh)]">
      <input
        aria-label={t('models.choose')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="h-11 w-full bg-transparent ps-10 outline-none max-sm:h-13"
      />
    </div>
  )
}
