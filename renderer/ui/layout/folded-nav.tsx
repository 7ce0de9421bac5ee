import { ChevronDown } from 'lucide-react'
import { type FocusEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { classNames } from '../../lib/class-names.ts'

const PANEL = {
  md: 'md:size-full max-md:absolute max-md:inset-x-2 max-md:top-full max-md:z-30 max-md:max-h-[70dvh] max-md:overflow-y-auto max-md:rounded-large max-md:border max-md:border-line max-md:bg-raised max-md:p-2 max-md:shadow-high',
  xl: 'xl:size-full max-xl:absolute max-xl:inset-x-2 max-xl:top-full max-xl:z-30 max-xl:max-h-[70dvh] max-xl:overflow-y-auto max-xl:rounded-large max-xl:border max-xl:border-line max-xl:bg-raised max-xl:p-2 max-xl:shadow-high',
  none: 'absolute inset-x-2 top-full z-30 max-h-[70dvh] overflow-y-auto rounded-large border border-line bg-raised p-2 shadow-high',
} as const
const HIDDEN = { md: 'max-md:hidden', xl: 'max-xl:hidden', none: 'hidden' } as const
const BUTTON = { md: 'md:hidden', xl: 'xl:hidden', none: '' } as const

interface FoldedNavProps {
  readonly label: string
  /** Width from which the links are always visible; `none` keeps them behind the button. */
  readonly from: keyof typeof PANEL
  /** Label of the current page. */
  readonly current: ReactNode
  /** Shows the links regardless of the button, e.g. for search results. */
  readonly isOpen?: boolean
  /** True while another control takes the place of the button. */
  readonly isCovered?: boolean
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
  isCovered = false,
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
          isCovered && HIDDEN[from],
        )}
      >
        {current}
        <ChevronDown className={classNames('text-muted', isShown && 'rotate-180')} />
      </button>
      <div id={id} className={classNames(PANEL[from], !isShown && HIDDEN[from])}>
        {children}
      </div>
    </nav>
  )
}
