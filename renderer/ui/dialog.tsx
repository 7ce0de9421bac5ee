import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../lib/class-names.ts'
import { IconButton } from './icon-button.tsx'
import { useReturnFocus } from './return-focus.ts'

interface DialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: ReactNode
  readonly description?: ReactNode
  readonly children?: ReactNode
  /** Buttons at the bottom, the main one last. */
  readonly actions?: ReactNode
  readonly wide?: boolean
  /** `page` takes nearly the whole window, for something to read. */
  readonly size?: 'page'
}

/**
 * A form starts in the field it marks, else in the first one that still needs something; anything
 * else in the sheet itself, so that no tooltip of a button stands open.
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

/** A modal sheet with a title. Escape and the cross close it; focus returns where it was. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  actions,
  wide = false,
  size,
}: DialogProps) {
  const { t } = useTranslation()
  const focus = useReturnFocus(placeFocus)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
        <Radix.Content
          {...focus}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={classNames(
            'fixed inset-x-3 top-1/2 z-50 mx-auto flex max-h-[calc(100dvh-1.5rem)] -translate-y-1/2 animate-appear flex-col rounded-large border border-line bg-raised text-ui text-ink shadow-high outline-none',
            size === 'page'
              ? 'h-dvh max-w-5xl [--surface:var(--raised)]'
              : wide
                ? 'max-w-2xl'
                : 'max-w-md',
          )}
        >
          <div className="flex items-start gap-3 px-6 pt-5">
            <Radix.Title className="min-w-0 flex-1 text-head-1 font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label={t('common.close')} icon={<X />} className="-me-2 -mt-0.5" />
            </Radix.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-6 pt-1 pb-5">
            {description && (
              <Radix.Description className="text-muted">{description}</Radix.Description>
            )}
            {children && <div className="mt-4">{children}</div>}
          </div>
          {actions && (
            <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-6 py-3">
              {actions}
            </div>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
