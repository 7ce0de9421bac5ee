import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ShortcutState } from '#desktop'
import { acceleratorKeys, isApple } from '../../lib/accelerator.ts'
import { classNames } from '../../lib/class-names.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Kbd } from '../../ui/marks/kbd.tsx'
import { INVALID_KEYS, readShortcut } from './read-shortcut.ts'

const EXAMPLE = 'CmdOrCtrl+Shift+Space'

interface ShortcutFieldProps {
  readonly value: string | null
  readonly state: ShortcutState
  readonly onChange: (value: string | null) => void
}

/** Field for a global shortcut: shows it, records it from key presses, and removes it. */
export function ShortcutField({ value, state, onChange }: ShortcutFieldProps) {
  const { t } = useTranslation()
  const [isRecording, setRecording] = useState(false)
  const [isInvalid, setInvalid] = useState(false)
  const stop = (): void => {
    setRecording(false)
    setInvalid(false)
  }
  const handleKey = (event: KeyboardEvent): void => {
    if (!isRecording || event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') return stop()
    const read = readShortcut(event, isApple())
    if (read === null) return
    if (read === INVALID_KEYS) return setInvalid(true)
    stop()
    onChange(read)
  }
  const isTold = state === 'taken' || state === 'unavailable'
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <span className="text-ui font-medium">{t('desktopApp.quickAsk.shortcut')}</span>
        <span className="flex flex-wrap items-center gap-2">
          {value === null ? (
            <span className="text-ui text-muted">{t('desktopApp.quickAsk.unset')}</span>
          ) : (
            <Kbd accelerator={value} />
          )}
          <Button
            aria-pressed={isRecording}
            onKeyDown={handleKey}
            onBlur={stop}
            onClick={() => setRecording(true)}
          >
            {isRecording
              ? t('desktopApp.quickAsk.press', { keys: acceleratorKeys(EXAMPLE).join(' ') })
              : t('desktopApp.quickAsk.record')}
          </Button>
          {value !== null && !isRecording && (
            <Button onClick={() => onChange(null)}>{t('desktopApp.quickAsk.clear')}</Button>
          )}
        </span>
      </div>
      <output
        className={classNames('text-small', isTold || isInvalid ? 'text-danger' : 'text-muted')}
      >
        {isInvalid ? t('desktopApp.quickAsk.invalid') : t(`desktopApp.quickAsk.state.${state}`)}
      </output>
    </div>
  )
}
