import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'
import { IconButton } from '../controls/icon-button.tsx'

interface SidePanelProps {
  readonly title: string
  /** True for a wide panel, for reading. */
  readonly isWide?: boolean
  /** True if its content has its own scroll area and takes the full height. */
  readonly hasOwnScroll?: boolean
  /** True for a sheet at the bottom edge on phones. */
  readonly isSheet?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Sits above the keyboard of a phone. */
const SHEET =
  'max-sm:inset-x-0! max-sm:top-auto! max-sm:bottom-[calc(100dvh-var(--seen-height,100dvh))]! max-sm:max-h-[min(85dvh,var(--seen-height,100dvh))] max-sm:w-full! max-sm:rounded-t-large max-sm:border-s-0 max-sm:pb-[env(safe-area-inset-bottom)]'

/** Darkens the page behind a sheet; a tap on it closes the sheet, as Escape does. */
const Scrim = ({ onClose }: { onClose: () => void }) => (
  <button
    type="button"
    aria-hidden="true"
    tabIndex={-1}
    className="fixed inset-0 z-30 animate-appear bg-scrim sm:hidden"
    onClick={onClose}
  />
)

/**
 * A panel beside the conversation, or over it in narrow windows. Escape closes it and restores the
 * focus.
 */
export function SidePanel({
  title,
  isWide = false,
  hasOwnScroll = false,
  isSheet = false,
  onClose,
  children,
}: SidePanelProps) {
  const { t } = useTranslation()
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    const before = document.activeElement
    panel.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const aside = (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape is handled for everything inside
    <aside
      ref={panel}
      aria-label={title}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        onClose()
      }}
      className={classNames(
        'flex shrink-0 animate-appear flex-col border-s border-line bg-page outline-none max-lg:fixed max-lg:inset-y-0 max-lg:end-0 max-lg:z-30 max-lg:shadow-high',
        isSheet && SHEET,
        isWide
          ? 'w-[min(34rem,45vw)] max-lg:w-[min(36rem,100vw)]'
          : 'w-80 max-lg:w-[min(22rem,100vw)]',
      )}
    >
      <div className="flex h-header shrink-0 items-center gap-2 ps-4 pe-2 pointer-coarse:h-13">
        <h2 className="min-w-0 flex-1 truncate text-ui font-semibold">{title}</h2>
        <IconButton label={t('common.close')} icon={<X />} onClick={onClose} />
      </div>
      <div
        className={
          hasOwnScroll ? 'flex min-h-0 flex-1 flex-col' : 'min-h-0 flex-1 overflow-y-auto px-4 pb-6'
        }
      >
        {children}
      </div>
    </aside>
  )
  return (
    <>
      {isSheet && <Scrim onClose={onClose} />}
      {aside}
    </>
  )
}
