import { ChevronDown } from 'lucide-react'
import { type FocusEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { classNames } from '../lib/class-names.ts'

const PANEL = {
  md: 'md:size-full max-md:absolute max-md:inset-x-2 max-md:top-full max-md:z-30 max-md:max-h-[70dvh] max-md:overflow-y-auto max-md:rounded-large max-md:border max-md:border-line max-md:bg-raised max-md:p-2 max-md:shadow-high',
  lg: 'lg:size-full max-lg:absolute max-lg:inset-x-2 max-lg:top-full max-lg:z-30 max-lg:max-h-[70dvh] max-lg:overflow-y-auto max-lg:rounded-large max-lg:border max-lg:border-line max-lg:bg-raised max-lg:p-2 max-lg:shadow-high',
} as const
const HIDDEN = { md: 'max-md:hidden', lg: 'max-lg:hidden' } as const
const BUTTON = { md: 'md:hidden', lg: 'lg:hidden' } as const

interface FoldedNavProps {
  readonly label: string
  /** Width from which the links are always visible. */
  readonly from: keyof typeof PANEL
  /** Label of the current page. */
  readonly current: ReactNode
  /** Shows the links regardless of the button, e.g. for search results. */
  readonly isOpen?: boolean
  readonly className?: string
  readonly children: ReactNode
}

/**
 * Links that are visible if there is space, and otherwise behind a button labelled with the current
 * page. The surrounding box positions the panel.
 */
export function FoldedNav({
  label,
  from,
  current,
  isOpen = false,
  className,
  children,
}: FoldedNavProps) {
  const id = useId()
  const [isUnfolded, setUnfolded] = useState(false)
  const nav = useRef<HTMLElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const isShown = isUnfolded || isOpen
  useEffect(() => {
    if (!isUnfolded) return
    const handlePress = (event: Event): void => {
      if (!nav.current?.contains(event.target as Node)) setUnfolded(false)
    }
    document.addEventListener('pointerdown', handlePress)
    return () => document.removeEventListener('pointerdown', handlePress)
  }, [isUnfolded])
  const handleBlur = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget && !nav.current?.contains(relatedTarget)) setUnfolded(false)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape and a choice belong to everything inside
    <nav
      ref={nav}
      aria-label={label}
      className={className}
      onBlur={handleBlur}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isUnfolded) return
        event.stopPropagation()
        setUnfolded(false)
        button.current?.focus()
      }}
      onClick={(event) => {
        if ((event.target as Element).closest('a')) setUnfolded(false)
      }}
    >
      <button
        ref={button}
        type="button"
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setUnfolded(!isUnfolded)}
        className={classNames(
          'inline-flex h-control max-w-full items-center gap-2 rounded-medium bg-hover px-3 font-medium hover:bg-pressed pointer-coarse:min-h-11 [&>svg]:size-4 [&>svg]:shrink-0 forced-colors:border',
          BUTTON[from],
        )}
      >
        {current}
        <ChevronDown
          aria-hidden="true"
          className={classNames('text-muted', isShown && 'rotate-180')}
        />
      </button>
      <div id={id} className={classNames(PANEL[from], !isShown && HIDDEN[from])}>
        {children}
      </div>
    </nav>
  )
}
