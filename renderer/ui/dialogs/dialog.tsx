import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'
import { Button } from '../controls/button.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { DialogBar } from './dialog-actions.tsx'
import { useReturnFocus } from './return-focus.ts'
import { useTypedText } from '../fields/use-typed-text.ts'

interface DialogProps {
  /** False while a dialog that stays mounted is not shown. */
  readonly open?: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  readonly description?: ReactNode
  readonly children?: ReactNode
  /** Buttons at the bottom, the main one last. */
  readonly actions?: ReactNode
  readonly wide?: boolean
  /** `page` takes nearly the whole window, for reading. */
  readonly size?: 'page'
}

/**
 * Focuses a form's marked field, otherwise its first incomplete one; in other dialogs the sheet
 * itself, so that no button's tooltip opens.
 */
function placeFocus(event: Event): void {
  event.preventDefault()
  const sheet = event.currentTarget as HTMLElement
  const fields = [
    ...sheet.querySelectorAll<HTMLInputElement>('input:not([disabled]), select, textarea'),
  ]
  const marked = sheet.querySelector<HTMLElement>('[data-first-focus]')
  ;(marked ?? fields.find((field) => !field.value) ?? fields[0] ?? sheet).focus()
}

/** Asks before closing would discard text typed in the sheet. */
function LeaveQuestion({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const { t } = useTranslation()
  const stay = useRef<HTMLButtonElement>(null)
  useEffect(() => stay.current?.focus(), [])
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line bg-warning-soft px-4 py-3 sm:px-6"
    >
      <p className="min-w-0 flex-1 basis-48">
        <span className="block font-medium">{t('lists.leaveTitle')}</span>
        <span className="block text-small text-muted">{t('lists.leaveText')}</span>
      </p>
      <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
        <Button ref={stay} onClick={onStay}>
          {t('lists.stay')}
        </Button>
        <Button tone="danger" onClick={onLeave}>
          {t('lists.leave')}
        </Button>
      </div>
    </div>
  )
}

/**
 * A modal sheet with a title; on a phone it is at the bottom edge. Escape, the cross and a press
 * outside close it, after a confirmation if typed text would be lost. The focus returns to its
 * previous element.
 */
export function Dialog({
  open = true,
  onClose,
  title,
  description,
  children,
  actions,
  wide = false,
  size,
}: DialogProps) {
  const { t } = useTranslation()
  const focus = useReturnFocus(placeFocus)
  const { handlers, isUnsaved } = useTypedText()
  const [asks, setAsks] = useState(false)
  const [bar, setBar] = useState<HTMLElement | null>(null)
  const handleClose = (): void => {
    if (asks) setAsks(false)
    else if (isUnsaved()) setAsks(true)
    else onClose()
  }
  return (
    <Radix.Root open={open} onOpenChange={handleClose}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
        <Radix.Content
          {...focus}
          onFocusCapture={handlers.onFocusCapture}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={classNames(
            'fixed inset-x-3 top-[calc(var(--seen-height,100dvh)/2)] z-50 mx-auto flex max-h-[calc(var(--seen-height,100dvh)-1.5rem)] -translate-y-1/2 animate-appear flex-col rounded-large border border-line bg-raised text-ui text-ink shadow-high outline-none',
            size !== 'page' &&
              'max-sm:inset-x-0 max-sm:top-auto max-sm:bottom-[calc(100dvh-var(--seen-height,100dvh))] max-sm:translate-y-0 max-sm:rounded-b-none max-sm:border-x-0 max-sm:border-b-0 max-sm:pb-[env(safe-area-inset-bottom)]',
            size === 'page'
              ? 'h-dvh max-w-5xl [--surface:var(--raised)] max-sm:inset-x-0 max-sm:max-h-(--seen-height,100dvh) max-sm:rounded-none max-sm:border-0 max-sm:pb-[env(safe-area-inset-bottom)]'
              : wide
                ? 'max-w-2xl'
                : 'max-w-md',
          )}
        >
          <div className="flex items-start gap-3 px-4 pt-4 sm:px-6 sm:pt-5">
            <Radix.Title className="min-w-0 flex-1 text-head-1 font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton
                label={t('common.close')}
                icon={<X />}
                className="-me-2 -mt-0.5 pointer-coarse:-my-2"
              />
            </Radix.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-4 pt-1 pb-5 sm:px-6">
            {description && (
              <Radix.Description className="text-muted">{description}</Radix.Description>
            )}
            {children && (
              <div className="mt-4">
                <DialogBar value={bar}>{children}</DialogBar>
              </div>
            )}
          </div>
          {asks && (
            <LeaveQuestion
              onStay={() => setAsks(false)}
              onLeave={() => {
                setAsks(false)
                onClose()
              }}
            />
          )}
          <div
            ref={setBar}
            hidden={asks}
            className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-3 empty:hidden max-sm:*:flex-1 sm:px-6"
          >
            {actions}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
