import { Popover as Radix } from 'radix-ui'
import { ArrowLeft } from 'lucide-react'
import { createContext, type ReactElement, type ReactNode, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'
import { Button } from '../controls/button.tsx'
import { useOpen } from '../dialogs/use-open.ts'
import { SHEET } from './sheet.ts'

interface PopoverProps {
  readonly trigger: ReactElement
  /** Name of the opened panel for screen readers. */
  readonly label: string
  readonly children: ReactNode
  readonly align?: 'start' | 'center' | 'end'
  readonly side?: 'top' | 'bottom'
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
  readonly className?: string
  /**
   * True for a sheet at the bottom edge on phones; a nested one replaces the outer one, with a back
   * button.
   */
  readonly isSheet?: boolean
  /** True for a panel with a field at its top, which opens no keyboard on touch by itself. */
  readonly keepsKeyboardAway?: boolean
  /** Can change where the focus goes afterwards; by default it returns to the button. */
  readonly onCloseAutoFocus?: (event: Event) => void
}

const InSheet = createContext(false)

/** Button that returns from a nested sheet to the one it replaced. */
function WayBack({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation()
  return (
    <Button
      tone="quiet"
      icon={<ArrowLeft className="size-4 rtl:-scale-x-100" />}
      className="m-1 mb-0 text-muted sm:hidden"
      onClick={onClick}
    >
      {t('common.back')}
    </Button>
  )
}

/** Focuses the panel instead of its field where a focused field opens the keyboard. */
function focusPanelOnTouch(event: Event): void {
  if (!matchMedia('(pointer: coarse)').matches) return
  event.preventDefault()
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
}

/** A panel beside a button. */
export function Popover(props: PopoverProps) {
  const {
    trigger,
    label,
    children,
    align = 'start',
    side = 'bottom',
    onCloseAutoFocus,
    className,
    isSheet = false,
    keepsKeyboardAway = false,
  } = props
  const [open, changeOpen] = useOpen(props)
  const isInSheet = useContext(InSheet)
  return (
    <Radix.Root open={open} onOpenChange={changeOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      {open && (
        <Radix.Portal>
          <Radix.Content
            aria-label={label}
            align={align}
            side={side}
            sideOffset={6}
            collisionPadding={8}
            onOpenAutoFocus={keepsKeyboardAway ? focusPanelOnTouch : undefined}
            onCloseAutoFocus={onCloseAutoFocus}
            className={classNames(
              'z-50 max-h-(--radix-popover-content-available-height) max-w-[calc(100vw-1rem)] animate-rise fades-below overflow-auto rounded-large border border-line bg-raised text-ui text-ink shadow-high outline-none',
              isSheet && `${SHEET} max-sm:has-[button[aria-expanded=true]]:invisible`,
              className,
            )}
          >
            {isSheet && isInSheet && <WayBack onClick={() => changeOpen(false)} />}
            <InSheet value={isSheet}>{children}</InSheet>
          </Radix.Content>
        </Radix.Portal>
      )}
    </Radix.Root>
  )
}
